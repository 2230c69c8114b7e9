/**
 * The text of the indexes of the platforms. It is made from the names of the files in `platforms/`,
 * so that adding a file is all that a new platform needs. `npm run presets` writes the indexes.
 */

/** The names of the indexes in this folder. */
const PRESETS_INDEX = 'platforms.ts'
const TEST_INDEX = 'platforms.fixture.ts'

/**
 * @param files names in `platforms/`
 * @returns the text of each index by its name in this folder
 */
export function platformIndexes(files: readonly string[]): ReadonlyMap<string, string> {
  const sourcesWith = (ending: string): string[] =>
    files
      .filter((file) => file.endsWith(ending) && !file.slice(0, -ending.length).includes('.'))
      .map((file) => file.slice(0, -ending.length))
      .sort()
  return new Map([
    [PRESETS_INDEX, presetsIndex(sourcesWith('.ts'))],
    [TEST_INDEX, testIndex(sourcesWith('.signer.ts'), sourcesWith('.vectors.ts'))],
  ])
}

function presetsIndex(sources: readonly string[]): string {
  return `/** Loads each platform’s preset. Made by \`npm run presets\` from the names in \`platforms/\`. */
import type { Preset } from './preset.ts'

type LoadPreset = () => Promise<{ readonly preset: Preset }>

export const PLATFORMS: Readonly<Record<string, LoadPreset>> = {
${sources.map((source) => `  ${propertyName(source)}: ${loading(source)},`).join('\n')}
}
`
}

function testIndex(signers: readonly string[], vectors: readonly string[]): string {
  return `/** Loads all signers and vectors. Made by \`npm run presets\` from the names in \`platforms/\`. */
import type { Signer } from './signers/signer.fixture.ts'
import type { Vector } from './signers/vector.fixture.ts'

type LoadSigners = () => Promise<{ readonly signers: readonly Signer[] }>
type LoadVectors = () => Promise<{ readonly vectors: readonly Vector[] }>

export const SIGNER_FILES: readonly LoadSigners[] = [
${signers.map((source) => `  ${loading(`${source}.signer`)},`).join('\n')}
]

export const VECTOR_FILES: readonly LoadVectors[] = [
${vectors.map((source) => `  ${loading(`${source}.vectors`)},`).join('\n')}
]
`
}

/** @param name of a file in `platforms/`, without its ending */
function loading(name: string): string {
  return `() => import('./platforms/${name}.ts')`
}

/** The formatter quotes only the names that need it. */
function propertyName(source: string): string {
  return /^[a-z_]\w*$/.test(source) ? source : `'${source}'`
}
