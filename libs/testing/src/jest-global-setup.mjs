/**
 * Makes the stores available to a run of integration or end-to-end tests, unless whoever started
 * the run has done so. Nothing is started before a test asks for it.
 */
export default async function setUp() {
  if (process.env.POSTHORN_TEST_STORES) return
  const { startStoresService } = await import('./stores-service.ts')
  const service = await startStoresService()
  process.env.POSTHORN_TEST_STORES = service.url
  globalThis.posthornTestStores = service
}
