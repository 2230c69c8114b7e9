/** Whether a script loads and defines `transform`, judged before it is saved. What it does is seen when it runs. */
import { badField, unavailable } from '@posthorn/http/errors'
import type { Sandbox } from '@posthorn/sandbox/sandbox'

export type Compile = Sandbox['compile']

/** @param script as the body has it: left out or null, there is nothing to judge */
export async function checkTransformation(
  tenantId: string,
  script: string | null | undefined,
  compile: Compile,
): Promise<void> {
  if (script === undefined || script === null) return
  const compiled = await compile(tenantId, script)
  if (compiled.outcome === 'invalid') throw badField('transformation', compiled.reason)
  if (compiled.outcome === 'unavailable') throw unavailable(compiled.detail)
}
