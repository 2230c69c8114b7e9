/**
 * Installs schemathesis, which calls an API with whatever its OpenAPI document allows and forbids.
 */
import { fileURLToPath } from 'node:url'
import { ensurePythonProgram } from './python-program.ts'

const REQUIREMENTS = fileURLToPath(new URL('schemathesis.txt', import.meta.url))

/** The program's path; it is installed first if need be. Throws with what to do. */
export async function ensureSchemathesis(): Promise<string> {
  const name = 'schemathesis'
  return await ensurePythonProgram({ name, command: name, requirements: REQUIREMENTS })
}
