/** `npm run api-types`: writes the types of the API that the pages are written against. */
import { writeFile } from 'node:fs/promises'
import { generateApiTypes } from './generate.ts'

const output = new URL('../../src/generated/api.ts', import.meta.url)
await writeFile(output, await generateApiTypes())
