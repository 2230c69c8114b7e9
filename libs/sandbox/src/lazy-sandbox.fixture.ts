/**
 * A sandbox whose threads start with its first script: most tests of a service run none. For tests.
 */
import { createSandbox, type Sandbox, type SandboxConfig, type SandboxDeps } from './sandbox.ts'

export function createLazySandbox(config: SandboxConfig, deps: SandboxDeps): Sandbox {
  let sandbox: Sandbox | undefined
  const started = (): Sandbox => (sandbox ??= createSandbox(config, deps))
  return {
    compile: async (tenantId, script) => await started().compile(tenantId, script),
    run: async (request) => await started().run(request),
    close: async () => await sandbox?.close(),
  }
}
