/** The browser that test files share, where each has contexts of its own that nobody else sees. */
import { joinChromium, startChromium } from '@posthorn/testing/chromium'
import { ask } from './join-product.ts'
import { PRODUCTS_VARIABLE } from './products-service.ts'

export type Browser = Awaited<ReturnType<typeof startChromium>>

/** Closing it leaves the browser itself to others. */
export async function joinBrowser(): Promise<Browser> {
  const service = process.env[PRODUCTS_VARIABLE]
  return service ? await joinChromium(await ask(`${service}/chromium`)) : await startChromium()
}
