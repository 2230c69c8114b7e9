/**
 * The ways that lead through other people's pages and back, in a real browser: a plan is bought at
 * Stripe's checkout and cancelled in its portal, and a company's people sign in at their identity
 * provider by SAML. The pages of others are stand-ins on this machine. With WRITE_SCREENS=1 the
 * screens are kept in docs/screens.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { openPool, type Pool } from '@posthorn/store/pool'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import { findBarriers, watchPages } from '@posthorn/testing/page-watch'
import {
  startStripeDouble,
  STRIPE_PRICES,
  type StripeDouble,
} from '../../services/portal-api/src/billing/stripe/stripe-double.fixture.ts'
import { addWorkspace, type Workspace } from './add-workspace.ts'
import { type Browser, DESK, keepScreen, type Page, PATIENCE_MS, settle } from './browsing.ts'
import { type IdentityPages, startIdentityPages } from './identity-pages.ts'
import { createClient, type Posthorn, startPosthorn } from './posthorn.ts'
import { joinBrowser } from './products/join-browser.ts'
import { startStripePages, type StripePages } from './stripe-pages.ts'

let database: TestDatabase
let pool: Pool
let posthorn: Posthorn
let stripe: StripeDouble
let stripePages: StripePages
let identity: IdentityPages
let browser: Browser

beforeAll(async () => {
  stripe = await startStripeDouble()
  stripePages = await startStripePages(stripe)
  identity = await startIdentityPages()
  database = await createTestDatabase()
  pool = openPool({ url: database.url, max: 1, name: 'test', onError: () => {} })
  posthorn = await startPosthorn('standalone', {
    DATABASE_URL: database.url,
    BILLING_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_PRICES: JSON.stringify(STRIPE_PRICES),
    STRIPE_API_URL: stripe.apiUrl,
    DEFAULT_PLAN: 'free',
  })
  stripePages.product = posthorn.url
  browser = await joinBrowser()
}, 450_000)

afterAll(async () => {
  await browser?.close()
  await posthorn?.stop()
  await pool?.end()
  await database?.drop()
  await identity?.close()
  await stripePages?.close()
  await stripe?.close()
}, 60_000)

interface Opened {
  page: Page
  leave(): Promise<void>
}

/** @param others whose pages are visited on the way */
async function open(apiKey: string | null, others: string): Promise<Opened> {
  const context = await browser.newContext({
    baseURL: posthorn.url,
    viewport: DESK,
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    // The stand-in has a certificate that nobody has signed.
    ignoreHTTPSErrors: true,
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const { faults } = await watchPages(context, posthorn.url)
  if (apiKey !== null) await context.request.post('/auth/session', { data: { apiKey } })
  return {
    page: await context.newPage(),
    async leave() {
      expect(faults.filter((fault) => !fault.startsWith(`request: ${others}`))).toEqual([])
      await context.close()
    },
  }
}

/** All start with the free plan. */
async function newWorkspace(plan: 'free' | 'scale'): Promise<Workspace> {
  const workspace = await addWorkspace(pool, posthorn.dataDir, 'Acme')
  if (plan === 'free') return workspace
  await pool.query(
    `INSERT INTO subscriptions (tenant_id, plan, cycle, status)
     VALUES ($1, $2, 'monthly', 'active')`,
    [workspace.tenantId, plan],
  )
  return workspace
}

test('a plan is bought at Stripe’s checkout, changed, cancelled in its portal and kept', async () => {
  const { apiKey } = await newWorkspace('free')
  const { page, leave } = await open(apiKey, stripePages.url)
  await page.goto('/dashboard/billing')
  await page.getByRole('button', { name: 'Choose Growth' }).click()
  await page.waitForURL(`${stripePages.url}/**`)
  await page.getByRole('heading', { name: 'Subscribe to price_growth_m' }).waitFor()
  await page.getByRole('link', { name: 'Back' }).click()
  await page.getByText('Nothing was bought.').waitFor()
  await page.getByRole('button', { name: 'Choose Growth' }).click()
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.waitForURL(`${posthorn.url}/dashboard/billing?checkout=success`)
  await page.getByText('The plan is paid, and in force from now on.').waitFor()
  await page.getByRole('region', { name: 'Growth' }).getByText('yours').waitFor()
  await settle(page)
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'billing-bought')

  await page.getByRole('button', { name: 'Choose Scale' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change to Scale' })
  await dialog.getByText('Remaining time').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'billing-change')
  await dialog.getByRole('button', { name: 'Change the plan' }).click()
  await page.getByRole('region', { name: 'Scale' }).getByText('yours').waitFor()

  await page.getByRole('button', { name: 'Cards and invoices' }).click()
  await page.getByRole('heading', { name: 'Your subscription' }).waitFor()
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await page.waitForURL(`${posthorn.url}/dashboard/billing`)
  await page.getByText('Ends', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await page.getByText('Renews', { exact: true }).waitFor()
  await leave()
}, 180_000)

test('an admin sets SAML up, and a colleague signs in at the company’s provider', async () => {
  const { tenantId, apiKey } = await newWorkspace('scale')
  const { call } = createClient(() => ({ url: posthorn.url, apiKey }))
  const domain = `${randomUUID()}.example`
  // Looking for its record at a name server is shown by other tests.
  await pool.query(
    `INSERT INTO sso_domains (tenant_id, id, domain, proof, verified_at)
     VALUES ($1, $2, $3, 'proof', now())`,
    [tenantId, newId(), domain],
  )
  const admin = await open(apiKey, identity.url)
  await admin.page.goto('/dashboard/sso')
  await admin.page.getByRole('button', { name: 'New connection' }).click()
  await admin.page.getByLabel('Identity provider').selectOption('other')
  await admin.page.getByLabel('It speaks').selectOption('saml')
  await admin.page.getByLabel('Name').fill('Acme ID')
  await admin.page.getByLabel('Metadata of the provider').fill(identity.metadata)
  await admin.page.getByRole('button', { name: 'Make the connection' }).click()
  await admin.page.getByText('Now enter these at your provider.').waitFor()
  expect(await findBarriers(admin.page)).toEqual([])
  await keepScreen(admin.page, 'saml-made')
  await admin.leave()

  const { page, leave } = await open(null, identity.url)
  await page.goto('/login')
  await page.getByLabel('E-mail').fill(`ada@${domain}`)
  await page.getByLabel('E-mail').press('Tab')
  const button = page.getByRole('button', { name: 'Continue with your company’s sign-on' })
  await button.waitFor()
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'saml-login')
  await button.click()
  await page.waitForURL(`${identity.url}/sso?**`)
  await page.getByLabel('Address').fill(`ada@${domain}`)
  await page.getByRole('button', { name: 'Sign in to Posthorn' }).click()
  await page.waitForURL(`${posthorn.url}/dashboard`)
  await page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor()
  await page.getByText('Ada Byron').waitFor()
  await settle(page)
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'saml-signed-in')
  const team = await call('GET', '/api/v1/team')
  const people = team.body.data as { email: string; role: string; source: string }[]
  expect(people).toMatchObject([{ email: `ada@${domain}`, role: 'viewer', source: 'sso' }])
  await leave()
}, 120_000)

test('whom an impostor of the provider vouches for is told so, and is not in', async () => {
  const { apiKey } = await newWorkspace('scale')
  const { call } = createClient(() => ({ url: posthorn.url, apiKey }))
  const connection = { type: 'saml', name: 'Acme ID', idpMetadata: identity.metadata }
  const made = await call('POST', '/api/v1/sso/connections', connection)
  identity.isImpostor = true
  const { page, leave } = await open(null, identity.url)
  await page.goto(made.body.loginUrl as string)
  await page.getByLabel('Address').fill('ada@example.com')
  await page.getByRole('button', { name: 'Sign in to Posthorn' }).click()
  await page.waitForURL(`${posthorn.url}/login?error=provider_error`)
  await page.getByText('The provider’s answer was not accepted.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await keepScreen(page, 'saml-refused')
  await page.goto('/dashboard')
  await page.waitForURL(/\/login/)
  await leave()
}, 90_000)
