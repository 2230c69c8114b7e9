/** What is piped into a command. */
import { usage } from './failure.ts'

const MAX_CHARACTERS = 16 * 1024 * 1024

export async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer)
    bytes += (chunk as Buffer).length
    if (bytes > MAX_CHARACTERS) throw usage('standard input has more than 16 MiB')
  }
  return Buffer.concat(chunks).toString('utf8')
}
