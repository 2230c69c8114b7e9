/** Payloads, and those who look into them: filters, lanes, connectors and schemas. */
import type { Arena, TenantClient } from '../arena.ts'
import { type Attack, attack, type Dose } from '../attack.ts'
import { isDelivered } from '../is-delivered.ts'
import { signedGitHub } from '../signed-github.ts'

/** The largest inbound body has 1 MiB. */
const CHARACTERS = 1_000 * 1_024

/** A filter, a lane and a connector each make the product read a payload of a megabyte. */
async function lookedInto(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  const eventTypes = ['push']
  const filter = [{ field: '$.a', operator: 'exists', value: false }]
  await tenant.create('endpoints', { url: `${arena.sinkUrl}/filtered`, eventTypes, filter })
  const lane = { fifo: true, fifoPartitionKey: '$.lane' }
  await tenant.create('endpoints', { url: `${arena.sinkUrl}/lanes`, eventTypes, ...lane })
  const config = { webhookUrl: `${arena.sinkUrl}/chat` }
  await tenant.create('connectors', { name: 'chat', type: 'slack', config, eventTypes })
  const inbound = await tenant.createSource('github')
  const shapes = ['[],', '{},', '{"a":1},', '"a",', '{"\\u0061":1},']
  return async () => {
    for (const item of shapes) {
      const body = `{"lane":1,"all":[${item.repeat(CHARACTERS / item.length)}1]}`
      const headers = signedGitHub(body)
      const { status } = await arena.send(inbound.url, { method: 'POST', headers, body })
      if (status >= 300) return [`a signed body of ${item} was answered ${status}`]
    }
    const behind = await tenant.postEvent({ eventType: 'push', payload: { lane: 1 } })
    return await isDelivered(tenant, behind.body?.id)
  }
}

/**
 * V8's parser takes a name with an escape for one that followed the same first names in an earlier
 * text, whoever sent that.
 */
async function confusingNames(arena: Arena): Promise<Dose> {
  const [sender, reader] = [await arena.newTenant(), await arena.newTenant()]
  const schema = { type: 'object', required: ['orderNo', '名前'] }
  await reader.create('event-types', { name: 'named', schema })
  const filter = [{ field: '$.名前', operator: 'eq', value: 'a' }]
  await reader.create('endpoints', { url: `${arena.sinkUrl}/named`, eventTypes: ['named'], filter })
  const ofSender = [{ field: '$.名前', operator: 'exists', value: false }]
  await sender.create('endpoints', {
    url: `${arena.sinkUrl}/other`,
    eventTypes: ['named'],
    filter: ofSender,
  })
  const post = async (tenant: TenantClient, name: string) =>
    await tenant.postEvent(`{"eventType":"named","payload":{"orderNo":1,"${name}":"a"}}`)
  return async () => {
    const other = await post(sender, '\\\\u')
    await isDelivered(sender, other.body?.id)
    const named = await post(reader, '\\u540d\\u524d')
    if (named.status !== 201) return [`an event was refused: ${named.text}`]
    await isDelivered(reader, named.body?.id)
    const { body } = await reader.call('GET', `events/${named.body?.id}/deliveries`, '')
    return body?.count === 1 ? [] : ['a filter did not find the name of its tenant’s event']
  }
}

export const PAYLOADS: readonly Attack[] = [
  attack(
    'inbound: a filter, a lane and a connector for 1 MiB of small values',
    'the payload was parsed on one turn of the loop, to be looked into and to be shown',
    lookedInto,
  ),
  attack(
    'names: with a backslash, then another tenant’s with an escape',
    'V8 gave the second tenant’s fields the names of the first one’s',
    confusingNames,
  ),
]
