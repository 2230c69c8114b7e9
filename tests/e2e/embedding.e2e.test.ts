/**
 * The portal inside a host's page: the example as `docs/embedding.md` has it, with each of the
 * document's blocks run or found in the example.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { freePort } from '@posthorn/local-stores/free-port'
import { eventually } from '@posthorn/testing/eventually'
import { findBarriers } from '@posthorn/testing/page-watch'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { type Browser, type Context, keepScreen, type Page, PATIENCE_MS } from './browsing.ts'
import { isInItsFile, readBlocks, root } from './guides/blocks.ts'
import { type Posthorn, startPosthorn } from './posthorn.ts'
import { joinBrowser } from './products/join-browser.ts'

const document = readBlocks('docs/embedding.md')

let posthorn: Posthorn
let receiver: Receiver
let browser: Browser
let host: string
/** The same page as of another site: a name and an address are two. */
let elsewhere: string
let example: ChildProcess | undefined
/** Into which what the dashboard shows is copied. */
let pastedHost: string
let pastedFolder = ''
let pastedExample: ChildProcess | undefined

function blocksOf(language: string): string[] {
  return document.filter((block) => block.language === language).map(({ text }) => text)
}

/** The document's commands with this test's ports instead of the usual ones. */
function shell(): { env: Record<string, string>; run(command: string): string } {
  const env = {
    PATH: process.env.PATH ?? '',
    POSTHORN_URL: posthorn.url,
    POSTHORN_API_KEY: posthorn.apiKey,
    PORT: new URL(host).port,
  }
  return {
    env,
    run(command) {
      const done = spawnSync('bash', ['-euc', command], { env, cwd: root, encoding: 'utf8' })
      if (done.status !== 0) throw new Error(`${command}\n${done.stdout}${done.stderr}`)
      return done.stdout
    },
  }
}

beforeAll(async () => {
  receiver = await startReceiver()
  host = `http://127.0.0.1:${await freePort()}`
  const [start = ''] = blocksOf('sh')
  const [setting, value = ''] = start.split(' ', 1)[0]?.split('=') ?? []
  expect(value).toBe('http://127.0.0.1:3000')
  elsewhere = host.replace('127.0.0.1', 'localhost')
  pastedHost = `http://127.0.0.1:${await freePort()}`
  const ancestors = [host, elsewhere, pastedHost].join(',')
  posthorn = await startPosthorn('standalone', { [setting ?? '']: ancestors })
  const [, command = ''] = blocksOf('sh')
  expect(command.trim()).toBe('node examples/embed/server.mjs')
  example = spawn(process.execPath, ['examples/embed/server.mjs'], {
    cwd: root,
    env: shell().env,
    stdio: 'pipe',
  })
  await eventually(async () => expect((await fetch(host)).status).toBe(200))
  browser = await joinBrowser()
}, 450_000)

afterAll(async () => {
  example?.kill()
  pastedExample?.kill()
  if (pastedFolder !== '') await rm(pastedFolder, { recursive: true, force: true })
  await browser?.close()
  await posthorn?.stop()
  await receiver?.close()
}, 60_000)

async function openHost(): Promise<{ context: Context; page: Page }> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-US',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(PATIENCE_MS)
  return { context, page: await context.newPage() }
}

test('each block of the document that is an excerpt is in the file that it names', () => {
  const blocks = document.filter(({ language }) => language === 'js' || language === 'html')
  expect(blocks.length).toBeGreaterThan(5)
  expect(blocks.filter((block) => !isInItsFile(block))).toEqual([])
})

test('a customer makes an endpoint in the frame, which has the page’s look and is as high as its content', async () => {
  const { run } = shell()
  const themed = run(blocksOf('sh')[2] ?? '')
  expect(JSON.parse(themed)).toMatchObject({ theme: { brandName: 'Acme Shop' } })
  const { context, page } = await openHost()
  const faults: string[] = []
  context.on('weberror', (error) => faults.push(error.error().message))
  await page.goto(host)
  const portal = page.frameLocator('#portal')
  await portal.getByRole('heading', { name: 'No endpoints yet' }).waitFor()
  await portal.getByText('Acme Shop').first().waitFor()
  await eventually(async () => expect(await backgroundOf(page)).toBe('rgb(251, 248, 243)'))
  await page.getByRole('button', { name: 'Dark' }).click()
  await eventually(async () => expect(await backgroundOf(page)).toBe('rgb(28, 24, 19)'))
  await page.getByRole('button', { name: 'Light' }).click()
  await eventually(async () => expect(await backgroundOf(page)).toBe('rgb(251, 248, 243)'))

  receiver.answer({ status: 200 })
  await portal.getByRole('button', { name: 'New endpoint' }).first().click()
  await portal.getByLabel('URL').fill(`${receiver.url}/acme`)
  await portal.getByRole('button', { name: 'Make the endpoint' }).click()
  await portal.getByRole('button', { name: 'Send a test' }).click()
  await portal.getByText('Delivered to 1 of 1.').waitFor()
  await portal.getByText('Request and response').first().click()
  await eventually(async () => {
    const shown = await page
      .locator('#portal')
      .evaluate((frame) => frame.getBoundingClientRect().height)
    const whole = await portal
      .locator('body')
      .evaluate((body) => body.getBoundingClientRect().height)
    expect(Math.abs(shown - whole)).toBeLessThan(8)
    expect(shown).toBeGreaterThan(480)
  })
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'embedded')
  expect(faults).toEqual([])
  await context.close()
}, 120_000)

/** A host page like the example's, with the snippet instead of its frame and its script. */
async function startPasted(snippet: string): Promise<void> {
  pastedFolder = await mkdtemp(join(tmpdir(), 'posthorn-embed-'))
  await cp(join(root, 'examples/embed'), pastedFolder, { recursive: true })
  const edit = async (name: string, change: (text: string) => string): Promise<void> => {
    const file = join(pastedFolder, name)
    const before = await readFile(file, 'utf8')
    await writeFile(file, change(before))
    expect(await readFile(file, 'utf8')).not.toBe(before)
  }
  await edit('host.html', (text) =>
    text
      .replace(/ *<script type="module" src="\/host.js"><\/script>\n/, '')
      .replace(/<iframe .*<\/iframe>/, () => snippet),
  )
  // A page whose policy has no inline scripts keeps the snippet's in a file, as the example does.
  await edit('server.mjs', (text) =>
    text.replaceAll(/"(script|style)-src 'self'"/g, `"$1-src 'self' 'unsafe-inline'"`),
  )
  pastedExample = spawn(process.execPath, [join(pastedFolder, 'server.mjs')], {
    env: { ...shell().env, PORT: new URL(pastedHost).port },
    stdio: 'pipe',
  })
  await eventually(async () => expect((await fetch(pastedHost)).status).toBe(200))
}

/** What the portal's page has behind everything. */
async function backgroundOf(page: Page): Promise<string> {
  const colour = await page
    .frameLocator('#portal')
    .locator('body')
    .evaluate('getComputedStyle(document.body).backgroundColor')
  return String(colour)
}

test('colours that nobody could read, and messages of others, change nothing', async () => {
  const { context, page } = await openHost()
  await page.goto(host)
  const portal = page.frameLocator('#portal')
  await portal.getByRole('heading', { name: 'Endpoints', exact: true }).waitFor()
  await eventually(async () => expect(await backgroundOf(page)).toBe('rgb(251, 248, 243)'))
  const send = async (colors: object) =>
    await page.evaluate(`document.querySelector('#portal').contentWindow.postMessage(
      { type: 'posthorn:theme', colors: ${JSON.stringify(colors)} }, '*')`)
  await send({ '--bg-100': '#777777' })
  await send({ '--bg-100': 'red; background: url(https://evil.example)' })
  await portal
    .locator('body')
    .evaluate(
      "window.postMessage({ type: 'posthorn:theme', colors: { '--bg-100': '#ffeeee' } }, '*')",
    )
  await send({ '--bg-000': '#fefefe' })
  await eventually(async () => {
    const colour = await portal
      .locator('body')
      .evaluate("getComputedStyle(document.querySelector('.portal-head')).backgroundColor")
    expect(colour).toBe('rgb(254, 254, 254)')
  })
  expect(await backgroundOf(page)).toBe('rgb(251, 248, 243)')
  await context.close()
}, 90_000)

test('a session that is revoked leads to the return URL, and the page opens a new one', async () => {
  const { context, page } = await openHost()
  await page.goto(host)
  const portal = page.frameLocator('#portal')
  await portal.getByRole('heading', { name: 'Endpoints', exact: true }).waitFor()
  shell().run(blocksOf('sh')[3] ?? '')
  // What it asks for next is refused, which a reload of the frame's page does at once.
  await portal.getByRole('link', { name: 'Events', exact: true }).click()
  await page.getByText('Your session had ended; here is a new one.').waitFor({ timeout: 90_000 })
  await portal.getByRole('heading', { name: 'Endpoints', exact: true }).waitFor()
  await context.close()
}, 150_000)

test('the snippet that a sub-account’s page shows, copied into a host page, embeds its portal', async () => {
  const made = await posthorn.call('GET', '/api/v1/sub-accounts?externalId=customer-42')
  const [account] = made.body.data as { id: string }[]
  const { context, page } = await openHost()
  await context.request.post(`${posthorn.url}/auth/session`, {
    data: { apiKey: posthorn.apiKey },
  })
  await page.goto(`${posthorn.url}/dashboard/sub-accounts/${account?.id}`)
  const card = page.locator('.card').filter({ hasText: 'In your own page' })
  const copied = async (label: string): Promise<string> => {
    const block = card.locator('.code').filter({ has: page.getByLabel(label, { exact: true }) })
    await block.getByRole('button', { name: 'Copy' }).click()
    return await page.evaluate<string>('navigator.clipboard.readText()')
  }
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await card.scrollIntoViewIfNeeded()
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'embed-snippet')
  const [setting] = blocksOf('sh')[0]?.split('=', 1) ?? []
  expect(await copied('Setting')).toBe(`${setting}=https://app.example.com`)
  // The host's server asks as the shown command does, for a link of the account.
  const answer = shell().run(`API_KEY=$POSTHORN_API_KEY; ${await copied('Command')}`)
  expect(JSON.parse(answer)).toMatchObject({ url: expect.stringContaining('/portal/') })

  await startPasted(await copied('Snippet'))
  await page.goto(pastedHost)
  const portal = page.frameLocator('#posthorn')
  await portal.getByRole('heading', { name: 'Endpoints', exact: true }).waitFor()
  await portal.getByText(`${receiver.url}/acme`).first().waitFor()
  await portal.getByRole('button', { name: 'New endpoint' }).first().waitFor()
  await eventually(async () => {
    const shown = await page
      .locator('#posthorn')
      .evaluate((frame) => (frame as unknown as { style: { height: string } }).style.height)
    expect(shown).toMatch(/^\d+px$/)
  })
  await keepScreen(page, 'embedded-by-snippet')
  await context.close()
}, 120_000)

test('in a page of another site the frame says that it has no cookie, and what to do', async () => {
  const made = await posthorn.call('GET', '/api/v1/sub-accounts?externalId=customer-42')
  const sessions = `/api/v1/sub-accounts/${made.body.data[0].id}/sessions`
  const minted = await posthorn.call('POST', sessions, { returnURL: host })
  const { context, page } = await openHost()
  await page.goto(elsewhere)
  await page.evaluate(`document.querySelector('#portal').src = '${minted.body.url}'`)
  const portal = page.frameLocator('#portal')
  await portal.getByText('Your browser keeps no cookies for this frame.').waitFor()
  await portal.getByText('open that in a tab of its own').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await context.close()
}, 90_000)

test('a page that is not listed can’t frame it, and the link is still good', async () => {
  const made = await posthorn.call('GET', '/api/v1/sub-accounts?externalId=customer-42')
  const sessions = `/api/v1/sub-accounts/${made.body.data[0].id}/sessions`
  const minted = await posthorn.call('POST', sessions, { returnURL: host })
  const link = minted.body.url as string
  const { context, page } = await openHost()
  await page.goto(`${receiver.url}/stranger`)
  await page.evaluate(
    `document.body.append(Object.assign(document.createElement('iframe'), { src: '${link}' }))`,
  )
  await eventually(async () => {
    const [, frame] = page.frames()
    expect(frame?.url()).toMatch(/^chrome-error:/)
  })
  await page.goto(link)
  await page.getByRole('heading', { name: 'Endpoints', exact: true }).waitFor()
  await context.close()
}, 90_000)

test('a page of another origin gets no link', async () => {
  const headers = { Origin: 'https://evil.example' }
  expect((await fetch(`${host}/portal-link`, { method: 'POST', headers })).status).toBe(403)
  expect((await fetch(`${host}/portal-link`, { method: 'POST' })).status).toBe(403)
})
