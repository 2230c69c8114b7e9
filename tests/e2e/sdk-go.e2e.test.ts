/**
 * The SDK for Go against the product: its own test sends events, receives, verifies, lists and
 * explains them, and reads what else there is.
 */
import { expect } from '@jest/globals'
import { expectGo } from '../deploy/go-module.ts'
import { testWith } from '../deploy/tools.ts'
import { joinProduct } from './products/join-product.ts'

testWith(
  ['go'],
  'what is sent by the SDK for Go arrives, is verified by it, and is explained by it',
  async () => {
    const product = await joinProduct('standalone')
    try {
      const args = ['test', '-v', '-count=1', '-run=^TestAgainstAnInstallation$', '.']
      const said = await expectGo(args, 'local', {
        POSTHORN_TEST_URL: product.url,
        POSTHORN_TEST_API_KEY: product.apiKey,
      })
      expect(said).toContain('--- PASS: TestAgainstAnInstallation')
    } finally {
      await product.leave()
    }
  },
  300_000,
)
