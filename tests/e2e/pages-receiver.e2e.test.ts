/**
 * The demo receiver's page in a real browser: what arrives, how its signature is verified, and what
 * it answers. With WRITE_SCREENS=1 its screen is kept in docs/screens.
 */
import { randomUUID } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { findBarriers } from '@posthorn/testing/page-watch'
import { browseWith, type Browsing, PATIENCE_MS, show } from './browsing.ts'
import { testScreens } from './screens.ts'

const name = `screen-${randomUUID().slice(0, 8)}`
const browsing = browseWith(fill)

async function fill({ posthorn, must }: Browsing): Promise<void> {
  const url = `${posthorn.url}/receiver/${name}`
  await fetch(url, { method: 'POST', body: '{"from":"somebody else"}' })
  for (let n = 1; n <= 3; n += 1) {
    await posthorn.send({ destination: url, payload: { orderId: `o_${n}`, amount: 1250 } })
  }
  await eventually(
    async () => expect((await must('GET', `/receiver/${name}`)).requests).toHaveLength(4),
    { timeoutMs: PATIENCE_MS },
  )
}

testScreens(browsing, () => [
  {
    name: 'receiver',
    path: `/receiver/${name}`,
    text: 'with the secret that ends with',
    onPhone: true,
  },
])

test('the receiver shows what arrives live, explains it, and answers as it is told', async () => {
  const { posthorn, open } = browsing()
  const box = `live-${randomUUID().slice(0, 8)}`
  const url = `${posthorn.url}/receiver/${box}`
  const secret = (await posthorn.call('GET', '/api/v1/signing-secret')).body.signingSecret
  const { page, leave } = await open({ apiKey: null })
  await show(page, `/receiver/${box}`, 'Nothing has arrived yet')
  expect(await findBarriers(page)).toEqual([])
  await posthorn.send({ destination: url, payload: { hello: 'receiver' } })
  await page.getByText('signature verified').waitFor()
  await page.getByText('with the secret that ends with').waitFor()
  await page.getByLabel('Secret of the endpoint').fill('whsec_of_somebody_else')
  await page.getByText('Your secret makes another signature').waitFor()
  await page.getByLabel('Secret of the endpoint').fill(secret)
  await page.getByText('Your secret makes the same signature').waitFor()
  await page.getByLabel('Status').selectOption('503')
  await page.getByRole('button', { name: 'Set' }).click()
  await page.getByText('From now on it answers 503.').waitFor()
  const { id } = await posthorn.send({ destination: url, payload: { hello: 'again' } })
  await eventually(async () => {
    expect((await posthorn.event(id)).deliveryAttempts[0]?.statusCode).toBe(503)
  })
  // The delivery is attempted again meanwhile, so there may be several such rows.
  await page.getByRole('row').filter({ hasText: '503' }).first().click()
  await page.getByText('"again"', { exact: true }).waitFor()
  const foreign = await fetch(`${url}/answer`, { method: 'POST', body: '{"status":200}' })
  expect(foreign.status).toBe(404)
  await leave()
}, 120_000)
