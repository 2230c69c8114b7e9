/** Go's commands in the folder of the SDK for Go. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { root, run } from './tools.ts'

export const GO_MODULE = join(root, 'sdks/go')

/**
 * Fails where Go does, with what it said. Go keeps what it fetches and compiles in the user's
 * folder, never in the repository.
 * @param toolchain a Go that the machine's own fetches where it is another
 */
export async function expectGo(
  args: readonly string[],
  toolchain = 'local',
  env: Record<string, string> = {},
): Promise<string> {
  const { code, stdout, stderr } = await run('go', ['-C', GO_MODULE, ...args], {
    HOME: homedir(),
    GOFLAGS: '-mod=readonly',
    GOTOOLCHAIN: toolchain,
    ...env,
  })
  expect({ code, said: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, said: '' })
  return stdout
}
