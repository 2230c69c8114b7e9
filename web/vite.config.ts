/** One build with two entries: the operator's dashboard, and the portal of customers' customers. */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { budgets } from './build/budgets.ts'
import { compress } from './build/compress.ts'
import { texts } from './build/texts.ts'

export default defineConfig({
  plugins: [react(), texts(), budgets(), compress()],
  html: { cspNonce: '__NONCE__' },
  // An inlined file would be a data URL, which the policy refuses for fonts and scripts.
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: ['dashboard.html', 'portal.html'] },
    reportCompressedSize: false,
  },
})
