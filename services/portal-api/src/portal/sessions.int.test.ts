/** A sub-account's session from its link to its end. */
import { beforeEach, describe, expect, test } from '@jest/globals'
import { PORTAL_CAPABILITIES } from '@posthorn/domain/portal-capabilities'
import { newId } from '@posthorn/domain/ids'
import { eventually } from '@posthorn/testing/eventually'
import { actAs, other, portal, PUBLIC_URL, tenant, usePortal } from '../portal.fixture.ts'
import {
  addSubAccount,
  cookieOf,
  exchange,
  mint,
  openPortal,
  RETURN_URL,
  send,
  withCookie,
} from './portal-client.fixture.ts'

usePortal()

let id = ''
beforeEach(async () => {
  id = await addSubAccount('customer')
})

const call: typeof tenant.call = (method, path, body, headers) =>
  tenant.call(method, path, body, headers)
const mintRaw = (body?: object) => call('POST', `/sub-accounts/${id}/sessions`, body)
const EXPIRED = (subAccountId = id) => ({
  status: 401,
  body: { code: 'SESSION_EXPIRED', returnUrl: RETURN_URL, subAccountId },
})

async function setSession(sessionId: string, columns: string): Promise<void> {
  const { rowCount } = await portal.pool.query(
    `UPDATE sub_account_sessions SET ${columns} WHERE tenant_id = $1 AND id = $2`,
    [id, sessionId],
  )
  expect(rowCount).toBe(1)
}

async function listed(): Promise<Record<string, unknown>[]> {
  return (await call('GET', `/sub-accounts/${id}/sessions`)).body.data
}

describe('mint', () => {
  test('answers what both variants ask for', async () => {
    const before = Date.now()
    const minted = await mintRaw({ returnURL: RETURN_URL })
    expect(minted).toMatchObject({
      status: 201,
      body: { returnURL: RETURN_URL, scopes: PORTAL_CAPABILITIES },
    })
    const { token, url, expiresAt } = minted.body
    expect(url).toBe(`${PUBLIC_URL}/portal/${token}`)
    expect(Math.abs(Date.parse(expiresAt) - before - 3_600_000)).toBeLessThan(60_000)
    const [header, payload] = token
      .split('.')
      .map((part: string) => Buffer.from(part, 'base64url').toString())
    expect(JSON.parse(header)).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(JSON.parse(payload)).toEqual({
      jti: minted.body.id,
      sub: id,
      cid: tenant.tenantId,
      scp: PORTAL_CAPABILITIES,
      aud: 'exchange',
      iat: expect.any(Number),
      exp: Math.floor(Date.parse(expiresAt) / 1_000),
    })
  })

  test.each([
    [{ expiresIn: 60 }, 60],
    [{ ttlSeconds: 86_400 }, 86_400],
  ])('%j lasts %i s', async (body, seconds) => {
    const { expiresAt } = await mint(id, body)
    const [row] = await listed()
    expect(row?.['expires_at']).toBe(expiresAt)
    const lasts = Date.parse(expiresAt) - Date.parse(row?.['created_at'] as string)
    expect(lasts).toBe(seconds * 1_000)
    const most =
      Date.parse(row?.['max_expires_at'] as string) - Date.parse(row?.['created_at'] as string)
    expect(most).toBe(86_400_000)
  })

  test('either name of the return URL is taken, else the default one, frozen', async () => {
    expect(await mintRaw()).toMatchObject({ status: 400, body: { code: 'MISSING_RETURN_URL' } })
    expect((await mintRaw({ returnUrl: RETURN_URL })).body.returnURL).toBe(RETURN_URL)
    const defaultReturnUrl = 'https://app.example.com/default'
    await call('PATCH', '/sub-account-settings', { defaultReturnUrl })
    const minted = await mintRaw()
    expect(minted.body.returnURL).toBe(defaultReturnUrl)
    await call('PATCH', '/sub-account-settings', { defaultReturnUrl: 'https://other.example.com' })
    expect((await exchange(minted.body.token)).body.returnUrl).toBe(defaultReturnUrl)
  })

  test.each([
    [{ expiresIn: 59 }, 'expiresIn'],
    [{ expiresIn: 86_401 }, 'expiresIn'],
    [{ ttlSeconds: 90.5 }, 'ttlSeconds'],
    [{ expiresIn: 60, ttlSeconds: 60 }, 'ttlSeconds'],
    [{ returnURL: RETURN_URL, returnUrl: RETURN_URL }, 'returnUrl'],
    [{ returnURL: 'javascript:alert(1)' }, 'returnURL'],
    [{ returnURL: '//example.com' }, 'returnURL'],
    [{ returnURL: 'https://user:secret@example.com' }, 'returnURL'],
    [{ returnURL: `https://example.com/${'a'.repeat(2_029)}` }, 'returnURL'],
    [{ scopes: ['events:write'] }, 'scopes'],
    [{ scopes: [] }, 'scopes'],
    [{ subAccountId: 'x' }, 'subAccountId'],
  ])('%j is refused at %s', async (body, path) => {
    const refused = await mintRaw(body)
    expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect(JSON.stringify(refused.body.details)).toContain(path)
    expect(await listed()).toEqual([])
  })

  test('is for one’s own sub-accounts that are active', async () => {
    const path = `/sub-accounts/${id}/sessions`
    for (const method of ['POST', 'GET', 'DELETE']) {
      const body = method === 'POST' ? { returnURL: RETURN_URL } : undefined
      expect((await other.call(method, path, body)).status).toBe(404)
      expect((await call(method, `/sub-accounts/${newId()}/sessions`, body)).status).toBe(404)
      expect((await call(method, `/sub-accounts/${tenant.tenantId}/sessions`, body)).status).toBe(
        404,
      )
    }
    await call('DELETE', `/sub-accounts/${id}`)
    const refused = await mintRaw({ returnURL: RETURN_URL })
    expect(refused).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } })
  })

  test('has a limit', async () => {
    await portal.pool.query(
      `INSERT INTO sub_account_sessions
         (tenant_id, id, scopes, return_url, created_by, expires_at, max_expires_at)
       SELECT $1, gen_random_uuid(), '{events:read}', 'https://a.example', 'test', now(),
         now() + interval '1 hour' FROM generate_series(1, 10000)`,
      [id],
    )
    const refused = await mintRaw({ returnURL: RETURN_URL })
    expect(refused).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } })
    expect((await call('DELETE', `/sub-accounts/${id}/sessions`)).status).toBe(204)
    expect((await mintRaw({ returnURL: RETURN_URL })).status).toBe(201)
  })
})

describe('exchange', () => {
  test('gives the session and its cookie', async () => {
    const theme = { brandName: 'Acme' }
    await call('PATCH', '/sub-account-settings', { theme })
    const minted = await mint(id, { scopes: ['events:read', 'endpoints:read'] })
    const exchanged = await exchange(minted.token)
    const session = {
      subAccountId: id,
      name: 'Name of customer',
      scopes: ['events:read', 'endpoints:read'],
      expiresAt: minted.expiresAt,
      returnUrl: RETURN_URL,
      theme: { brandName: 'Acme', logo: null, font: 'inter', light: null, dark: null },
    }
    expect(exchanged).toMatchObject({ status: 200, body: session })
    expect(exchanged.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^service_sub_account_session=[\w.-]+; Path=\/sub-account-api; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ])
    const shown = await withCookie(cookieOf(exchanged))('GET', '/session')
    expect(shown).toMatchObject({ status: 200, body: session })
    expect(Object.keys(shown.body).sort()).toEqual(Object.keys(session).sort())
  })

  test('of fifty at once, one is taken, and none after it', async () => {
    const { token } = await mint(id)
    const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(409)])
    const taken = answers.find(({ status }) => status === 200)
    const refused = await exchange(token, { Cookie: cookieOf(taken as never) })
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_CONSUMED', returnUrl: RETURN_URL, subAccountId: id },
    })
    expect(refused.headers.getSetCookie()).toEqual([])
    // The browser that has opened it goes on.
    expect((await withCookie(cookieOf(taken as never))('GET', '/session')).status).toBe(200)
  })

  test('a link that was consumed says so as long as its session lasts, and then that it ended', async () => {
    const { id: sessionId, token } = await openPortal(id)
    await setSession(sessionId, "expires_at = now() + interval '5 hours'")
    expect((await exchange(token)).body.code).toBe('ALREADY_CONSUMED')
    await setSession(sessionId, 'revoked_at = now()')
    expect(await exchange(token)).toMatchObject(EXPIRED())
  })

  test('a link that was not opened in time, was revoked, or whose sub-account left is over', async () => {
    const late = await mint(id)
    await setSession(late.id, "expires_at = now() - interval '1 second'")
    expect(await exchange(late.token)).toMatchObject(EXPIRED())
    const revoked = await mint(id)
    await call('DELETE', `/sub-accounts/${id}/sessions/${revoked.id}`)
    expect(await exchange(revoked.token)).toMatchObject(EXPIRED())
    const left = await mint(id)
    await call('DELETE', `/sub-accounts/${id}`)
    expect(await exchange(left.token)).toMatchObject(EXPIRED())
    const rows = await listed()
    expect(rows.map((row) => row['consumed_at'])).toEqual([null, null, null])
  })

  test('needs the plan that has sub-accounts', async () => {
    const { token } = await mint(id)
    const open = await openPortal(id)
    await portal.pool.query(
      `INSERT INTO subscriptions (tenant_id, plan, cycle, status)
       VALUES ($1, 'starter', 'monthly', 'active')`,
      [tenant.tenantId],
    )
    for (const refused of [await exchange(token), await open.call('GET', '/session')])
      expect(refused).toMatchObject({ status: 403, body: { code: 'PLAN_REQUIRED' } })
    actAs(await portal.addTenant())
  })
})

describe('the registry', () => {
  test('lists sessions, newest first, page by page', async () => {
    const first = await mint(id)
    const second = await openPortal(id, { scopes: ['events:read'] })
    await second.call('GET', '/session')
    await eventually(async () => (await listed())[0]?.['use_count'] === 1)
    const page = await call('GET', `/sub-accounts/${id}/sessions?limit=1`)
    expect(page.body).toEqual({
      data: [
        {
          id: second.id,
          scopes: ['events:read'],
          return_url: RETURN_URL,
          created_at: expect.any(String),
          expires_at: expect.any(String),
          max_expires_at: expect.any(String),
          consumed_at: expect.any(String),
          revoked_at: null,
          last_used_at: expect.any(String),
          use_count: 1,
        },
      ],
      pagination: { hasMore: true, cursor: expect.any(String) },
    })
    const { cursor } = page.body.pagination
    const rest = await call('GET', `/sub-accounts/${id}/sessions?limit=1&cursor=${cursor}`)
    expect(rest.body.data.map((row: { id: string }) => row.id)).toEqual([first.id])
    expect(rest.body.data[0]).toMatchObject({ consumed_at: null, last_used_at: null, use_count: 0 })
    expect(JSON.stringify(page.body)).not.toContain('eyJ')
  })

  test('a revocation holds at the next request, for one or for all', async () => {
    const [one, two, three] = [await openPortal(id), await openPortal(id), await openPortal(id)]
    expect((await one.call('GET', '/session')).status).toBe(200)
    const path = `/sub-accounts/${id}/sessions`
    expect((await call('DELETE', `${path}/${one.id}`)).status).toBe(204)
    expect(await one.call('GET', '/session')).toMatchObject(EXPIRED())
    const [, , revoked] = await listed()
    expect((await call('DELETE', `${path}/${one.id}`)).status).toBe(204)
    expect((await listed())[2]).toEqual(revoked)
    expect((await two.call('GET', '/session')).status).toBe(200)
    expect((await call('DELETE', path)).status).toBe(204)
    for (const client of [two, three])
      expect(await client.call('GET', '/session')).toMatchObject(EXPIRED())
    expect((await call('DELETE', `${path}/${newId()}`)).status).toBe(404)
  })

  test('one sub-account’s session is not revoked below another', async () => {
    const second = await addSubAccount('second')
    const session = await openPortal(id)
    expect((await call('DELETE', `/sub-accounts/${second}/sessions/${session.id}`)).status).toBe(
      404,
    )
    expect((await call('DELETE', `/sub-accounts/${second}/sessions`)).status).toBe(204)
    expect((await session.call('GET', '/session')).status).toBe(200)
  })

  test('a session ends a second after its time, and is told where it returns to', async () => {
    const { call: inPortal, id: sessionId } = await openPortal(id)
    await setSession(sessionId, "expires_at = now() - interval '1 second'")
    expect(await inPortal('GET', '/session')).toMatchObject(EXPIRED())
  })

  test('a deactivation ends sessions for good', async () => {
    const session = await openPortal(id)
    await call('PATCH', `/sub-accounts/${id}`, { status: 'deactivated' })
    expect(await session.call('GET', '/session')).toMatchObject(EXPIRED())
    await call('PATCH', `/sub-accounts/${id}`, { status: 'active' })
    expect(await session.call('GET', '/session')).toMatchObject(EXPIRED())
    expect((await (await openPortal(id)).call('GET', '/session')).status).toBe(200)
  })
})

test('a mint and each revocation leave an audit row of the parent’s, without the token', async () => {
  const session = await mint(id, { scopes: ['events:read'] })
  const path = `/sub-accounts/${id}/sessions`
  await call('DELETE', `${path}/${session.id}`)
  await call('DELETE', path)
  await call('DELETE', `${path}/${newId()}`)
  await mintRaw({ scopes: ['nothing'] })
  const { rows } = await portal.pool.query(
    `SELECT action, resource_id AS id, actor_type AS actor, metadata FROM audit_logs
     WHERE tenant_id = $1 AND resource = 'sub_account_session' ORDER BY audit_logs.id`,
    [tenant.tenantId],
  )
  const actor = 'api_key'
  expect(rows).toEqual([
    {
      action: 'sub_account_session.create',
      id: session.id,
      actor,
      metadata: { subAccountId: id, scopes: ['events:read'], returnUrl: RETURN_URL },
    },
    {
      action: 'sub_account_session.revoke',
      id: session.id,
      actor,
      metadata: { subAccountId: id },
    },
    { action: 'sub_account_session.revoke_all', id, actor, metadata: {} },
  ])
})

describe('use', () => {
  const endsIn = async (sessionId: string): Promise<number> => {
    const row = (await listed()).find((one) => one['id'] === sessionId)
    return (Date.parse(row?.['expires_at'] as string) - Date.now()) / 60_000
  }
  const used = (sessionId: string, times: number) =>
    eventually(async () => {
      const row = (await listed()).find((one) => one['id'] === sessionId)
      return row?.['use_count'] === times
    })

  test('within half an hour of its end moves the end an hour on, and not before', async () => {
    const session = await openPortal(id)
    await setSession(session.id, "expires_at = now() + interval '31 minutes'")
    await session.call('GET', '/session')
    await used(session.id, 1)
    expect(await endsIn(session.id)).toBeLessThan(31)
    await setSession(session.id, "expires_at = now() + interval '29 minutes'")
    await session.call('GET', '/session')
    await used(session.id, 2)
    const minutes = await endsIn(session.id)
    expect(minutes).toBeGreaterThan(50)
    expect(minutes).toBeLessThanOrEqual(60)
  })

  test('does not move the end beyond the last one', async () => {
    const session = await openPortal(id)
    await setSession(
      session.id,
      "expires_at = now() + interval '10 minutes', max_expires_at = now() + interval '20 minutes'",
    )
    await session.call('GET', '/session')
    await used(session.id, 1)
    const [row] = await listed()
    expect(row?.['expires_at']).toBe(row?.['max_expires_at'])
  })

  test('of many requests at once is counted to the last one', async () => {
    const session = await openPortal(id)
    await Promise.all(Array.from({ length: 40 }, () => session.call('GET', '/session')))
    await used(session.id, 40)
  })
})

test('the page burns nothing, and leaves no trace of its token', async () => {
  const { token, url } = await mint(id)
  for (const method of ['GET', 'GET', 'HEAD', 'POST', 'OPTIONS']) {
    const page = await send(method, new URL(url).pathname)
    expect(page.status).toBe({ POST: 405, OPTIONS: 204 }[method] ?? 200)
    expect(JSON.stringify([page.body, ...page.headers])).not.toContain(token)
  }
  const page = await send('GET', new URL(url).pathname)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  // It is longer where the pages are built.
  const policy = page.headers.get('content-security-policy')
  expect(policy).toMatch(/^default-src 'none'; (.*; )?frame-ancestors 'none'(;|$)/)
  expect(page.headers.get('x-frame-options')).toBe('DENY')
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  expect(JSON.stringify(portal.lines)).not.toContain(token)
  expect((await exchange(token)).status).toBe(200)
})
