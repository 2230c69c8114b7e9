/**
 * Which installation is called, and with which key. A key belongs to the URL that it was saved
 * with: nothing sends it elsewhere. It is never an argument, which other users of the machine could
 * read.
 */
import { join } from 'node:path'
import { usage } from './failure.ts'
import { configFolder, readPrivate, writePrivate } from './private-files.ts'

export interface Profile {
  url: string
  apiKey: string
  /** The word in the names of delivery headers: `Service` in `X-Service-Signature`. */
  brand: string
  /** null: the key may not read it. */
  workspace: { id: string; name: string } | null
}

interface ProfilesFile {
  profiles: Record<string, Profile>
}

type Environment = Readonly<Record<string, string | undefined>>

export const DEFAULT_PROFILE = 'default'

export function credentialsPath(env: Environment): string {
  return join(configFolder(env), 'credentials.json')
}

async function readProfiles(env: Environment): Promise<ProfilesFile> {
  const read = (await readPrivate(credentialsPath(env))) as Partial<ProfilesFile> | undefined
  return { profiles: read?.profiles ?? {} }
}

export async function saveProfile(env: Environment, name: string, profile: Profile): Promise<void> {
  const { profiles } = await readProfiles(env)
  await writePrivate(credentialsPath(env), { profiles: { ...profiles, [name]: profile } })
}

/** @returns whether there was one */
export async function removeProfile(env: Environment, name: string): Promise<boolean> {
  const { profiles } = await readProfiles(env)
  if (!Object.hasOwn(profiles, name)) return false
  const { [name]: _, ...rest } = profiles
  await writePrivate(credentialsPath(env), { profiles: rest })
  return true
}

export interface Account {
  url: string
  apiKey: string
  /** undefined: not known yet. */
  brand?: string
  workspace?: Profile['workspace']
}

/** The environment's, both URL and key, or else a profile's. */
export async function findAccount(env: Environment, name: string): Promise<Account> {
  const { POSTHORN_URL: url, POSTHORN_API_KEY: apiKey } = env
  if (apiKey) {
    if (!url) throw usage('POSTHORN_API_KEY is set without POSTHORN_URL: set both')
    return { url: checkedUrl(url), apiKey }
  }
  const { profiles } = await readProfiles(env)
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile === undefined) {
    const what = name === DEFAULT_PROFILE ? 'you are not logged in' : `there is no profile ${name}`
    throw usage(`${what}: run "posthorn login", or set POSTHORN_URL and POSTHORN_API_KEY`)
  }
  if (url && checkedUrl(url) !== profile.url)
    throw usage('POSTHORN_URL is not the URL of the saved key: set POSTHORN_API_KEY too')
  return profile
}

/** Without a slash at its end. */
export function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw usage('the URL of the installation must begin with http:// or https://')
  if (url.username !== '' || url.password !== '')
    throw usage('the URL of the installation must have no user and password')
  return (url.origin + url.pathname).replace(/\/+$/, '')
}
