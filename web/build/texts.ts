/**
 * Compiles the catalogs of texts while the pages are built, so that no page carries a parser of
 * messages. A catalog is JSON from the English text to its translation; English is the catalog
 * whose translations are the texts themselves.
 */
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const CATALOG = /\/texts\/de\.json(\?english)?$/

export function texts(): Plugin {
  return {
    name: 'texts',
    enforce: 'pre',
    transform: {
      filter: { id: CATALOG },
      handler(source, id) {
        const isEnglish = id.endsWith('?english')
        const catalog = JSON.parse(source) as Record<string, string>
        const compiled = Object.entries(catalog)
          // A plain text stands for itself.
          .filter(([text]) => !isEnglish || /[{}'#]/.test(text))
          .map(([text, translated]) => [text, compileMessage(isEnglish ? text : translated)])
        const code = `export default ${JSON.stringify(Object.fromEntries(compiled))}`
        return { code, map: null, moduleType: 'js' }
      },
    },
  }
}
