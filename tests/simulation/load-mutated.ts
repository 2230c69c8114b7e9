/**
 * Loads the simulation a second time with one change to the product's source: a copy of all of its
 * modules, one of which differs.
 */
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { PATCHES } from './mutations.ts'
import type { simulate } from './world.ts'

const ROOT = new URL('../../', import.meta.url).href
const MARK = '?mutation='

function isOurs(url: string): boolean {
  return url.startsWith(ROOT) && !url.includes('/node_modules/') && url.endsWith('.ts')
}

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    const [, mark] = context.parentURL?.split(MARK) ?? []
    if (mark === undefined || !isOurs(resolved.url)) return resolved
    return { ...resolved, url: `${resolved.url}${MARK}${mark}` }
  },
  load(url, context, next) {
    const [plain = url, mark] = url.split(MARK)
    const patch = mark === undefined ? undefined : PATCHES[decodeURIComponent(mark)]
    const loaded = next(url, context)
    if (patch === undefined || plain !== `${ROOT}${patch.file}`) return loaded
    const source = textOf(loaded.source)
    if (source.split(patch.find).length !== 2)
      throw new Error(`${fileURLToPath(plain)} has not just once: ${patch.find}`)
    return { ...loaded, source: source.replace(patch.find, () => patch.replace) }
  },
})

function textOf(source: unknown): string {
  return typeof source === 'string' ? source : new TextDecoder().decode(source as Uint8Array)
}

export async function loadMutated(name: string): Promise<typeof simulate> {
  const world = (await import(`./world.ts${MARK}${encodeURIComponent(name)}`)) as {
    simulate: typeof simulate
  }
  return world.simulate
}
