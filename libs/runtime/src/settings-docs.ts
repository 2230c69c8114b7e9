/**
 * The settings as documentation: `.env.example` and the table of docs/settings.md are made from the
 * one schema.
 */
import { Settings } from './config.ts'

interface Documented {
  name: string
  otherwise: string
  meaning: string
}

function documented(): Documented[] {
  const values = Settings.parse({})
  return Object.entries(Settings.shape).map(([name, schema]) => ({
    name,
    otherwise: text(values[name as keyof Settings]),
    meaning: schema.description ?? '',
  }))
}

function text(value: Settings[keyof Settings]): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function envExample(): string {
  const lines = documented().map(
    ({ name, otherwise, meaning }) => `# ${meaning}\n#${name}=${otherwise}\n`,
  )
  return `# Every setting with its default. Copy to .env and load it, or set what you need in the environment.\n\n${lines.join('\n')}`
}

export function settingsTable(): string {
  const rows = documented().map(
    ({ name, otherwise, meaning }) =>
      `| \`${name}\` | ${otherwise === '' ? 'none' : `\`${otherwise}\``} | ${meaning} |`,
  )
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n')
}

const TABLE = /(<!-- settings: made by `npm run settings` -->\n)[\s\S]*?(\n<!-- \/settings -->)/

/** @returns the page with its table up to date */
export function withSettingsTable(page: string): string {
  return page.replace(
    TABLE,
    (_all, before: string, after: string) => `${before}${settingsTable()}${after}`,
  )
}
