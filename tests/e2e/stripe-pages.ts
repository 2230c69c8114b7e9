/**
 * A stand-in for the pages that Stripe shows to people: the checkout and the billing portal, over
 * the state of its double. What is bought or cancelled there is told to the product as Stripe tells
 * it, by a signed webhook, before the browser is led back.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StripeDouble } from '../../services/portal-api/src/billing/stripe/stripe-double.fixture.ts'

type Session = Parameters<StripeDouble['pageUrl']>[0]

export interface StripePages {
  url: string
  /** Where webhooks go. */
  product: string
  close(): Promise<void>
}

const STYLE = `body { margin: 0; font: 16px/1.5 sans-serif; background: #f6f8fa; color: #30313d }
  main { max-width: 420px; margin: 12vh auto; padding: 32px; background: #fff; border-radius: 8px;
    box-shadow: 0 2px 12px #0002 } h1 { margin: 0 0 16px; font-size: 22px }
  label { display: block; margin-bottom: 12px } input { display: block; width: 100%; padding: 8px;
    box-sizing: border-box; font: inherit } button { width: 100%; padding: 10px; border: 0;
    border-radius: 6px; background: #0055de; color: #fff; font: 600 16px sans-serif }
  a { display: block; margin-top: 16px; color: #0055de }`

export async function startStripePages(stripe: StripeDouble): Promise<StripePages> {
  const sessions = new Map<string, Session>()
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const pages: StripePages = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    product: '',
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  stripe.pageUrl = (session) => {
    sessions.set(session.id, session)
    return `${pages.url}/${session.id}`
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume()
    const session = sessions.get((request.url ?? '').slice(1))
    if (session === undefined) return void response.writeHead(404).end()
    if (request.method === 'GET') {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
      return void response.end(session.kind === 'checkout' ? checkout(session) : portal(session))
    }
    const location = session.kind === 'checkout' ? await buy(session) : await cancel(session)
    response.writeHead(303, { Location: location }).end()
  }

  async function buy({ fields }: Session): Promise<string> {
    const price = fields.line_items[0].price as string
    const made = stripe.addSubscription(fields.customer as string, price)
    await tell(stripe.event(made, 'customer.subscription.created'))
    return fields.success_url as string
  }

  async function cancel({ fields }: Session): Promise<string> {
    for (const subscription of stripe.subscriptions.values()) {
      if (subscription.customer !== fields.customer) continue
      subscription.cancel_at_period_end = true
      await tell(stripe.event(subscription))
    }
    return fields.return_url as string
  }

  async function tell(body: string): Promise<void> {
    const heard = await fetch(`${pages.product}/api/v1/billing/stripe/webhook`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Stripe-Signature': stripe.sign(body) },
      body,
    })
    if (!heard.ok) throw new Error(`the webhook was refused: ${await heard.text()}`)
  }

  return pages
}

function checkout({ fields }: Session): string {
  return page(`<h1>Subscribe to ${fields.line_items[0].price}</h1>
    <form method="post"><label>Card number <input name="card" value="4242 4242 4242 4242"></label>
    <button>Subscribe</button></form><a href="${fields.cancel_url}">Back</a>`)
}

function portal({ fields }: Session): string {
  return page(`<h1>Your subscription</h1><form method="post"><button>Cancel plan</button></form>
    <a href="${fields.return_url}">Return</a>`)
}

function page(body: string): string {
  return `<!doctype html><html lang="en"><title>Stripe</title><style>${STYLE}</style>
    <main>${body}</main></html>`
}
