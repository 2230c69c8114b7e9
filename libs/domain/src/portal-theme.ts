/**
 * The look that a workspace gives the portal of its sub-accounts: nine colours for each of light
 * and dark, whose text must stay readable.
 */

/** The custom properties that the portal reads. */
export const THEME_COLORS = [
  '--bg-000',
  '--bg-100',
  '--bg-200',
  '--accent-main-100',
  '--accent-main-900',
  '--chart-delivered',
  '--chart-failed',
  '--chart-dead',
  '--warning-100',
] as const
export type ThemeColor = (typeof THEME_COLORS)[number]
/** Each as `#rrggbb`. */
export type ThemePalette = Readonly<Record<ThemeColor, string>>

/** The portal's own text, which a theme can't change. */
const TEXT = { light: '#14181f', dark: '#eef1f6' }
/** WCAG 2.2 AA, for text of any size. */
const LEAST_CONTRAST = 4.5

const BACKGROUNDS: readonly ThemeColor[] = ['--bg-000', '--bg-100', '--bg-200', '--warning-100']
/** Words of these colours are set on the first two backgrounds. */
const WORDS: readonly ThemeColor[] = [
  '--accent-main-900',
  '--chart-delivered',
  '--chart-failed',
  '--chart-dead',
]

export interface UnreadablePair {
  text: ThemeColor | 'the text'
  background: ThemeColor
  /** From 1 to 21. */
  contrast: number
}

/** The pairs of text and background that nobody could read. */
export function unreadablePairs(
  palette: ThemePalette,
  appearance: keyof typeof TEXT,
): UnreadablePair[] {
  const pairs: [UnreadablePair['text'], string, ThemeColor][] = [
    ...BACKGROUNDS.map((background): [UnreadablePair['text'], string, ThemeColor] => [
      'the text',
      TEXT[appearance],
      background,
    ]),
    ...WORDS.flatMap((word) =>
      BACKGROUNDS.slice(0, 2).map((background): [UnreadablePair['text'], string, ThemeColor] => [
        word,
        palette[word],
        background,
      ]),
    ),
    ['--accent-main-900', palette['--accent-main-900'], '--accent-main-100'],
  ]
  return pairs
    .map(([text, color, background]) => ({
      text,
      background,
      contrast: contrastOf(color, palette[background]),
    }))
    .filter(({ contrast }) => contrast < LEAST_CONTRAST)
}

/** As WCAG 2.2 defines it. @param one, other `#rrggbb` */
export function contrastOf(one: string, other: string): number {
  const [lighter, darker] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a) as [
    number,
    number,
  ]
  return (lighter + 0.05) / (darker + 0.05)
}

function luminanceOf(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
