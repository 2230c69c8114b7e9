/** The fonts that a theme of the portal may name. Each is of this origin, or of the reader's system. */
export const FONTS: Readonly<Record<string, string>> = {
  inter: 'Inter, system-ui, sans-serif',
  system: 'system-ui, sans-serif',
  serif: 'Georgia, "Times New Roman", serif',
  monospace: '"JetBrains Mono", ui-monospace, monospace',
}
