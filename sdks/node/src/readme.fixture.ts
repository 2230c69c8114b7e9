/** The code of the README, which tests run or compile: one text a block. */
import { readFile } from 'node:fs/promises'

export async function readmeBlocks(language: 'ts' | 'sh' | 'sql'): Promise<string[]> {
  const text = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
  const unknown = blocks.filter(([, one]) => !['ts', 'sh', 'sql'].includes(String(one)))
  if (unknown.length > 0) throw new Error(`no test takes ${unknown[0]?.[1]}`)
  return blocks.filter(([, one]) => one === language).map(([, , code]) => String(code))
}
