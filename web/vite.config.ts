/** One build with two entries: the operator's dashboard, and the portal of customers' customers. */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { budgets } from './build/budgets.ts'
import { compress } from './build/compress.ts'
import { texts } from './build/texts.ts'

/**
 * What both entries begin with, in one chunk: as files of their own these small modules would cost
 * more than they hold. None of them needs a large library.
 */
const COMMON = [
  'endpoints/endpoint-(columns|form|name|state)',
  'events/(curl|event-columns|example-of|quoted)',
  'portal/fonts',
  'ui/(form|mark|parts|read-colour|search-form|status|tabs|url-state)',
]

export default defineConfig({
  plugins: [react(), texts(), budgets(), compress()],
  html: { cspNonce: '__NONCE__' },
  // An inlined file would be a data URL, which the policy refuses for fonts and scripts.
  build: {
    target: 'es2023',
    // With `light-dark()`: what stands in for it in older browsers cannot be told for a part of a page.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: ['dashboard.html', 'portal.html'],
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'react', test: /\/node_modules\/react\// },
            { name: 'common', test: new RegExp(`/web/src/(${COMMON.join('|')})\\.tsx?$`) },
          ],
        },
      },
    },
    reportCompressedSize: false,
  },
})
