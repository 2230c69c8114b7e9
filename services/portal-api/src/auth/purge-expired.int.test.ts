import { expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { portal, usePortal } from '../portal.fixture.ts'
import { addPerson } from './auth.fixture.ts'
import { purgeExpired } from './purge-expired.ts'

usePortal('for-all-tests')

test('what has expired goes, and what has not stays', async () => {
  const { browser, user, client } = await addPerson()
  for (const days of [-1, 1]) {
    const until = `now() + interval '${days} days'`
    const hash = 'sha256(gen_random_uuid()::text::bytea)'
    for (const statement of [
      `INSERT INTO user_sessions (token_hash, id, tenant_id, user_id, expires_at)
        SELECT ${hash}, gen_random_uuid(), '${client.id}', '${user.id}', ${until}`,
      `INSERT INTO one_time_tokens (token_hash, purpose, user_id, expires_at)
        SELECT ${hash}, 'reset_password', '${user.id}', ${until}`,
      `INSERT INTO sso_flows (state_hash, connection, data, expires_at)
        SELECT ${hash}, 'google', '{}', ${until}`,
      `INSERT INTO saml_assertions (connection_id, assertion_id, expires_at)
        SELECT '${newId()}', 'a', ${until}`,
    ]) {
      await portal.pool.query(statement)
    }
  }
  expect(await purgeExpired(portal.pool)).toBe(false)
  for (const table of ['user_sessions', 'one_time_tokens', 'sso_flows', 'saml_assertions']) {
    const { rows } = await portal.pool.query(
      `SELECT count(*) FILTER (WHERE expires_at < now())::int AS expired,
        count(*) FILTER (WHERE expires_at > now())::int AS kept FROM ${table}`,
    )
    expect({ table, ...rows[0] }).toMatchObject({ table, expired: 0 })
    expect(rows[0].kept).toBeGreaterThan(0)
  }
  expect((await browser.call('GET', '/auth/session')).status).toBe(200)
})
