/**
 * `posthorn login`: checks a key and keeps it. The key comes from standard input, or is typed
 * without being shown: as an argument other users of the machine could read it, and the shell
 * would keep it.
 */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { type Me, PosthornApiError } from '../../sdks/node/src/posthorn-node.ts'
import { clientOf, findBrand, type GlobalOptions } from './connect.ts'
import { usage } from './failure.ts'
import type { Output } from './output.ts'
import {
  checkedUrl,
  credentialsPath,
  DEFAULT_PROFILE,
  removeProfile,
  saveProfile,
} from './profiles.ts'

export interface LoginOptions extends GlobalOptions {
  url: string
  forget?: boolean
}

const MAX_KEY_CHARACTERS = 512

export async function logIn(options: LoginOptions, out: Output): Promise<void> {
  const name = options.profile ?? DEFAULT_PROFILE
  if (options.forget === true) {
    const wasThere = await removeProfile(process.env, name)
    return out.result(
      { profile: name, forgotten: wasThere },
      wasThere ? 'forgotten' : 'no such key',
    )
  }
  const url = checkedUrl(options.url)
  if (!isPrivate(new URL(url)))
    out.status('without https the key can be read on its way: use it in networks of your own only')
  const apiKey = process.stdin.isTTY === true ? await askHidden(url) : await readInput()
  if (apiKey === '' || apiKey.length > MAX_KEY_CHARACTERS || !/^[\x21-\x7e]+$/.test(apiKey))
    throw usage('give the API key on standard input: posthorn login < file')
  out.hide(apiKey)
  const me = await findMe(url, apiKey)
  const workspace = me === null ? null : { id: me.id, name: me.name }
  await saveProfile(process.env, name, { url, apiKey, brand: await findBrand(url), workspace })
  out.result({ profile: name, url, workspace, scopes: me?.scopes ?? null }, [
    `logged in to ${me?.name ?? 'a workspace'} at ${url}`,
    `scopes: ${me?.scopes.join(', ') ?? 'without account:read, which would tell'}`,
    `kept in ${credentialsPath(process.env)}`,
  ])
}

/** @returns null: the key is one, and may not read who it is */
export async function findMe(url: string, apiKey: string): Promise<Me | null> {
  try {
    return await clientOf({ url, apiKey }).me.get()
  } catch (error) {
    if (error instanceof PosthornApiError && error.status === 403) return null
    throw error
  }
}

function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
}

async function readInput(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin) {
    text += String(chunk)
    if (text.length > 2 * MAX_KEY_CHARACTERS) break
  }
  return text.trim()
}

async function askHidden(url: string): Promise<string> {
  process.stderr.write(`API key for ${url} (it is not shown): `)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  const answer = await new Promise<string>((done) => {
    lines.once('line', done)
    lines.once('close', () => done(''))
  })
  lines.close()
  process.stderr.write('\n')
  return answer.trim()
}
