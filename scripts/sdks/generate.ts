/** The generated files of the SDKs and of the command line, as texts by their paths. */
import { cliDefaults, cliTools } from './cli.ts'
import { goFiles } from './go.ts'
import { describeApi } from './operations.ts'
import { nodeResources, nodeTypes } from './node.ts'
import { pythonResources, pythonTypes } from './python.ts'

export function generatedFiles(): Record<string, string> {
  const api = describeApi()
  return {
    'sdks/node/src/generated/types.ts': nodeTypes(api),
    'sdks/node/src/generated/resources.ts': nodeResources(api),
    'sdks/python/src/posthorn/types.py': pythonTypes(api),
    'sdks/python/src/posthorn/_resources.py': pythonResources(api),
    ...goFiles(api),
    'cli/src/generated/mcp-tools.ts': cliTools(api),
    'cli/src/generated/endpoint-defaults.ts': cliDefaults(),
  }
}
