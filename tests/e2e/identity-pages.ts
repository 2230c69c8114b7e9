/**
 * A stand-in for the pages of a company's identity provider, over TLS as SAML asks for: somebody
 * gives their address, and the browser posts the signed answer to the product.
 */
import { createServer } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { freePort } from '@posthorn/local-stores/free-port'
import { makeCertificate } from '@posthorn/egress/certificate.fixture'
import {
  createSamlIdp,
  readAuthnRequest,
} from '../../services/portal-api/src/sso/saml/saml-idp.fixture.ts'

export interface IdentityPages {
  url: string
  /** What an admin copies into the product. */
  metadata: string
  /** Answers are signed with a key that the metadata does not have. */
  isImpostor: boolean
  close(): Promise<void>
}

const STYLE = `body { margin: 0; font: 16px/1.5 sans-serif; background: #eef1f6; color: #1f2937 }
  main { max-width: 360px; margin: 14vh auto; padding: 32px; background: #fff; border-radius: 12px }
  h1 { margin: 0 0 16px; font-size: 20px } input { width: 100%; padding: 8px; font: inherit;
    box-sizing: border-box } button { width: 100%; margin-top: 12px; padding: 10px; border: 0;
    border-radius: 6px; background: #5b21b6; color: #fff; font: 600 16px sans-serif }`

export async function startIdentityPages(): Promise<IdentityPages> {
  const port = await freePort()
  const url = `https://127.0.0.1:${port}`
  const idp = createSamlIdp(`${url}/metadata`, true, `${url}/sso`)
  const impostor = createSamlIdp(`${url}/metadata`, false, `${url}/sso`)
  const { cert, key } = makeCertificate({
    name: 'identity',
    altNames: ['127.0.0.1'],
    keyType: 'rsa',
  })
  const server = createServer({ cert, key }, (request, response) => {
    answer(request)
      .then((html) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(html))
      .catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const pages: IdentityPages = {
    url,
    metadata: idp.metadata,
    isImpostor: false,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return pages

  async function answer(request: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.method === 'GET') {
      return page(`<h1>Acme ID</h1><form method="post"><label>Address
        <input name="email" autofocus></label><button>Sign in to Posthorn</button></form>`)
    }
    const email = new URLSearchParams(Buffer.concat(chunks).toString()).get('email') ?? ''
    const { id: requestId, xml, relayState } = readAuthnRequest(url + (request.url ?? ''))
    const acsUrl = /AssertionConsumerServiceURL="([^"]+)"/.exec(xml)?.[1] ?? ''
    const spEntityId = />([^<]+)<\/saml:Issuer>/.exec(xml)?.[1] ?? ''
    const signer = pages.isImpostor ? impostor : idp
    const signed = await signer.answer({ requestId, acsUrl, spEntityId, email })
    const response = Buffer.from(signed).toString('base64')
    return page(`<h1>One moment</h1><form method="post" action="${acsUrl}">
      <input type="hidden" name="SAMLResponse" value="${response}">
      <input type="hidden" name="RelayState" value="${relayState}">
      <button>Go on</button></form><script>document.forms[0].submit()</script>`)
  }
}

function page(body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Acme ID</title>
    <style>${STYLE}</style><main>${body}</main></html>`
}
