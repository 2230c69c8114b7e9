/** Config keys that many platforms share. */
import type { ConfigKey } from '../preset.ts'

export const SECRET: ConfigKey = {
  name: 'secret',
  secret: true,
  required: true,
  meaning: 'The signing secret that the platform shows. Several while it is rotated.',
}
export const OPTIONAL_SECRET: ConfigKey = { ...SECRET, required: false }

/** For platforms that sign nothing: whoever knows the URL is believed. */
export const URL_TOKEN: ConfigKey = {
  name: 'url_token',
  secret: true,
  required: true,
  meaning:
    'A long random text. Give the platform the URL of the inbound endpoint with ?token=<this> behind it.',
}

/** A secret that the user chose and the platform sends as it is. */
export const SHARED_SECRET: ConfigKey = {
  name: 'secret',
  secret: true,
  required: true,
  meaning: 'The value that the platform sends, whole: with a word like Bearer where it has one.',
}
export const OPTIONAL_SHARED_SECRET: ConfigKey = { ...SHARED_SECRET, required: false }
export const HEADER_NAME: ConfigKey = {
  name: 'header_name',
  secret: false,
  required: false,
  meaning: 'The header in which the platform sends it.',
}
export const USERNAME: ConfigKey = {
  name: 'username',
  secret: false,
  required: false,
  meaning: 'The name of the Basic credentials that the platform sends.',
}
export const PASSWORD: ConfigKey = {
  name: 'password',
  secret: true,
  required: false,
  meaning: 'Their password.',
}
/** For platforms that offer nothing else. */
export const REQUIRED_USERNAME: ConfigKey = { ...USERNAME, required: true }
export const REQUIRED_PASSWORD: ConfigKey = { ...PASSWORD, required: true }

export const PUBLIC_KEY: ConfigKey = {
  name: 'public_key',
  secret: false,
  required: true,
  meaning: 'The public key that the platform shows: PEM, or its base64 or hex alone.',
}
export const WEBHOOK_URL: ConfigKey = {
  name: 'webhook_url',
  secret: false,
  required: false,
  meaning: 'The URL as it was entered at the platform, when it is not the inbound endpoint’s own.',
}
export const VERIFY_TOKEN: ConfigKey = {
  name: 'verify_token',
  secret: true,
  required: false,
  meaning: 'The text that you chose for the platform’s question whether the URL is yours.',
}
