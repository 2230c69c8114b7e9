/** What is found on a page, and where: in light, in dark, and in a frame of another origin. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startChromium } from './chromium.ts'
import { findBarriers } from './page-watch.ts'

let browser: Awaited<ReturnType<typeof startChromium>>
const pages = createServer(({ url, headers }, response) => {
  const elsewhere = `http://localhost:${headers.host?.split(':')[1]}`
  const frame = `<iframe title="Inside" src="${elsewhere}/picture"></iframe>`
  const content =
    url === '/picture' ? '<img src="data:,">' : url === '/frame' ? frame : '<p>Text</p>'
  response.writeHead(200, {
    'content-type': 'text/html',
    'content-security-policy': "script-src 'none'; require-trusted-types-for 'script'",
  })
  response.end(`<!doctype html><html lang="en"><title>Page</title>
    <style>@media (prefers-color-scheme: dark) { p { color: #777; background: #888 } }</style>
    <main><h1>Page</h1>${content}</main></html>`)
})

beforeAll(async () => {
  await new Promise<void>((done) => pages.listen(0, '127.0.0.1', done))
  browser = await startChromium()
}, 360_000)

afterAll(async () => {
  await browser?.close()
  pages.close()
  pages.closeAllConnections()
})

async function barriersOf(
  path: string,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<string[]> {
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}${path}`)
  await findBarriers(page)
  await page.emulateMedia({ colorScheme })
  const found = await findBarriers(page)
  await page.close()
  return found
}

test('a page without barriers has none, under a policy that runs no script', async () => {
  expect(await barriersOf('/')).toEqual([])
})

const IMAGE = expect.stringMatching(/^image-alt: .*<img src="data:,"> \(1\)$/)

test('a barrier is named with its place', async () => {
  expect(await barriersOf('/picture')).toEqual([IMAGE])
})

test('a frame of another origin is looked into, and its landmarks count as the page’s', async () => {
  const landmark = expect.stringMatching(/^landmark-/)
  expect(await barriersOf('/frame')).toEqual(expect.arrayContaining([IMAGE, landmark]))
})

test('a page that is looked at again is looked at as it is now', async () => {
  expect(await barriersOf('/', 'dark')).toEqual([
    expect.stringMatching(/^color-contrast: .*<p>Text<\/p> \(1\)$/),
  ])
})
