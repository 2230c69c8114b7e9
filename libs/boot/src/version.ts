/**
 * This version of the product, as in package.json: sent in `User-Agent` and shown in the API
 * reference.
 */
import manifest from '../package.json' with { type: 'json' }

export const VERSION: string = manifest.version
