/** The generated files of the SDKs, as texts by their paths. */
import { describeApi } from './operations.ts'
import { nodeResources, nodeTypes } from './node.ts'

export function generatedFiles(): Record<string, string> {
  const api = describeApi()
  return {
    'sdks/node/src/generated/types.ts': nodeTypes(api),
    'sdks/node/src/generated/resources.ts': nodeResources(api),
  }
}
