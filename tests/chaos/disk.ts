/** A small file system of Postgres's own, which it may fill. */
import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'

/** A million events of a long run are some 2 GB, and its WAL 1 GB. */
const DISK_MB = 5_120

/** Memory serves as well as a disk for being full; only root may mount it. */
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
