/** What GitHub answers to a sign-in, with an account that the test names. For tests. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface GithubStub {
  url: string
  account: { id: unknown; name?: string }
  emails: unknown
  /** The forms that came with codes. */
  forms: URLSearchParams[]
  /** GitHub answers a wrong code with 200 and an error. */
  refusesCodes: boolean
  close(): Promise<void>
}

export async function startGithubStub(): Promise<GithubStub> {
  const token = randomUUID()
  const server = createServer((request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stub: GithubStub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    account: { id: 1 },
    emails: [],
    forms: [],
    refusesCodes: false,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', stub.url)
    const form = new URLSearchParams(await text(request))
    if (pathname === '/login/oauth/authorize') {
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({
        code: 'a-code',
        state: searchParams.get('state') ?? '',
      }).toString()
      response.writeHead(302, { location: back.href }).end()
      return
    }
    const isApi = pathname.startsWith('/api/v3/')
    if (isApi && request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401).end()
      return
    }
    const answers: Record<string, unknown> = {
      '/api/v3/user': stub.account,
      '/api/v3/user/emails': stub.emails,
      '/login/oauth/access_token': stub.refusesCodes
        ? { error: 'bad_verification_code', error_description: 'The code is incorrect.' }
        : { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' },
    }
    if (pathname === '/login/oauth/access_token') stub.forms.push(form)
    const answer = answers[pathname]
    response
      .writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer ?? {}))
  }
  return stub
}
