/** A small file system for Postgres alone, which a fault may fill. */
import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'

/** A million events of a long run take some 2 GB, and their WAL 1 GB. */
const DISK_MB = 5_120

/** Mounts a file system in memory, which can be full just as a disk can. Only root may mount it. */
export async function mountDisk(
  dir: string,
  closers: (() => Promise<unknown> | void)[],
): Promise<string | undefined> {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return undefined
  await mkdir(dir, { recursive: true })
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=711`, 'tmpfs', dir]
    execFileSync('mount', options, { stdio: 'ignore' })
  } catch {
    return undefined // a container may forbid it
  }
  closers.push(() => void execFileSync('umount', ['-l', dir]))
  return dir
}
