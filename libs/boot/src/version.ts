/**
 * This version of the product, as in package.json: sent in `User-Agent` and shown in the API
 * reference.
 */
import { readFileSync } from 'node:fs'

const MANIFEST = new URL('../package.json', import.meta.url)

export const VERSION: string = JSON.parse(readFileSync(MANIFEST, 'utf8')).version
