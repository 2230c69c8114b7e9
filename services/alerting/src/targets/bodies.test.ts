/** What is sent to each target: escaped, cut to its limits, and valid by its own schema. */
import { describe, expect, test } from '@jest/globals'
import { parseTemplate } from '@posthorn/go-template/parse-template'
import { renderTemplate } from '@posthorn/go-template/render-template'
import { validTeamsMessage } from './adaptive-card.fixture.ts'
import { colorOf } from './colors.ts'
import { discordBody, discordUrl } from './discord.ts'
import { cutText, escapeFor } from './escape.ts'
import { pagerdutyBody } from './pagerduty.ts'
import { slackBody } from './slack.ts'
import type { Notification, TargetType } from './target.ts'
import { teamsBody } from './teams.ts'
import { webhookBody, webhookHeaders } from './webhook.ts'

function notification(more: Partial<Notification> = {}): Notification {
  return {
    title: '[FIRING] Payments fail',
    text: 'failure_rate is 12.5, over 5',
    severity: 'error',
    status: 'firing',
    dedupKey: 'posthorn:rule-1:3',
    fields: { rule: 'Payments fail', value: 12.5 },
    ...more,
  }
}

function rendered(type: TargetType, template: string, data: object): string {
  const parsed = parseTemplate(template)
  if (parsed.outcome === 'invalid') throw new Error(parsed.message)
  const result = renderTemplate(parsed.template, data, { escape: escapeFor(type) })
  return result.outcome === 'ok' ? result.text : result.message
}

const codePoints = (text: string): number => Array.from(text).length

describe('slack', () => {
  interface SlackMessage {
    channel?: string
    attachments: [{ color: string; title: string; text: string; fallback: string }]
  }
  const body = (more: Partial<Notification>): SlackMessage =>
    JSON.parse(slackBody(notification(more), { webhookUrl: 'https://x/' })) as SlackMessage

  test('is an attachment with a colour bar', () => {
    const config = { webhookUrl: 'https://x/', channel: '#ops', username: 'ph', iconEmoji: ':x:' }
    expect(JSON.parse(slackBody(notification(), config))).toEqual({
      channel: '#ops',
      username: 'ph',
      icon_emoji: ':x:',
      attachments: [
        {
          color: '#a30200',
          title: '[FIRING] Payments fail',
          text: 'failure_rate is 12.5, over 5',
          fallback: '[FIRING] Payments fail: failure_rate is 12.5, over 5',
          mrkdwn_in: ['text'],
        },
      ],
    })
  })

  test('data is entities, and the template’s own link stays one', () => {
    const text = rendered('slack', '<https://x|y> {{.p}}', { p: '<!channel> & <x>' })
    expect(body({ text }).attachments[0].text).toBe(
      '<https://x|y> &lt;!channel&gt; &amp; &lt;x&gt;',
    )
  })

  test('what is too long is cut, and no entity in half', () => {
    for (const start of ['', 'a', 'aa', 'aaa', 'aaaa']) {
      const { title, text } = body({
        title: `${start}${'&amp;'.repeat(3_000)}`,
        text: `${start}${'&lt;'.repeat(3_000)}`,
      }).attachments[0]
      expect(codePoints(title)).toBeLessThanOrEqual(1_024)
      expect(codePoints(text)).toBeLessThanOrEqual(8_000)
      expect(title).toMatch(/^a*(&amp;)+…$/)
      expect(text).toMatch(/^a*(&lt;)+…$/)
    }
  })
})

describe('discord', () => {
  interface DiscordMessage {
    username?: string
    embeds: [{ title: string; description: string; color: number }]
    allowed_mentions: { parse: string[] }
  }
  const body = (more: Partial<Notification>): DiscordMessage =>
    JSON.parse(discordBody(notification(more), { webhookUrl: 'https://x/' })) as DiscordMessage

  test('mentions nobody, whoever the text names', () => {
    const { embeds, allowed_mentions: mentions } = body({ text: '@everyone <@&1>' })
    expect(mentions).toEqual({ parse: [] })
    expect(embeds).toEqual([
      { title: '[FIRING] Payments fail', description: '@everyone <@&1>', color: 0xa30200 },
    ])
  })

  test('a payload of empty lines is read once', () => {
    const startedAt = performance.now()
    const lines = '\n'.repeat(200_000)
    expect(escapeFor('discord')(`${lines} - a`)).toBe(`${lines} \\- a`)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })

  test('7,000 characters are cut to what it takes', () => {
    const { embeds } = body({ title: '😀'.repeat(7_000), text: '\\*'.repeat(3_500) })
    expect(codePoints(embeds[0].title)).toBe(256)
    expect(codePoints(embeds[0].description)).toBeLessThanOrEqual(4_096)
    expect(embeds[0].description).toMatch(/^(\\\*)+…$/)
  })

  test('data is no Markdown', () => {
    expect(rendered('discord', '**{{.x}}**', { x: 'a*b_c`d`[e](f)\n- g\n1. h' })).toBe(
      '**a\\*b\\_c\\`d\\`\\[e\\]\\(f\\)\n\\- g\n1\\. h**',
    )
  })

  test('the answer is waited for', () => {
    expect(discordUrl('https://discord.com/api/webhooks/1/x')).toBe(
      'https://discord.com/api/webhooks/1/x?wait=true',
    )
    expect(discordUrl('https://d/x?thread_id=7&wait=false')).toBe(
      'https://d/x?thread_id=7&wait=true',
    )
  })
})

describe('teams', () => {
  test.each([
    ['a short message', notification()],
    ['no text', notification({ text: '' })],
    ['a resolve', notification({ status: 'resolved' })],
    ['a warning with a colour', notification({ severity: 'warning', color: '#123456' })],
    ['an event', notification({ severity: 'info', status: 'event' })],
    ['30,000 characters', notification({ text: 'x'.repeat(30_000) })],
    [
      'characters of many bytes',
      notification({ title: '😀'.repeat(2_000), text: '日'.repeat(30_000) }),
    ],
    ['characters that JSON escapes', notification({ text: '\u0001"\\'.repeat(10_000) })],
  ])('%s is a valid card of 1.4 within its size', (_name, one) => {
    const body = teamsBody(one)
    expect(Buffer.byteLength(body)).toBeLessThan(28_000)
    expect(validTeamsMessage(JSON.parse(body))).toEqual([])
  })

  test('the schema refuses what is no card', () => {
    const body = JSON.parse(teamsBody(notification())) as {
      attachments: [{ content: { body: Record<string, unknown>[] } }]
    }
    const [title] = body.attachments[0].content.body
    Object.assign(title as object, { color: 'Red' })
    expect(validTeamsMessage(body)).not.toEqual([])
    Object.assign(title as object, { color: 'Good', text: undefined })
    expect(validTeamsMessage(JSON.parse(JSON.stringify(body)))).not.toEqual([])
  })
})

describe('pagerduty', () => {
  const config = { routingKey: 'R'.repeat(32) }
  const body = (more: Partial<Notification>): Record<string, unknown> =>
    JSON.parse(pagerdutyBody(notification(more), config, 'Service')) as Record<string, unknown>

  test('a firing triggers and its resolve resolves, under one key', () => {
    const firing = body({})
    const resolved = body({ status: 'resolved' })
    expect(firing).toEqual({
      routing_key: config.routingKey,
      event_action: 'trigger',
      dedup_key: 'posthorn:rule-1:3',
      payload: {
        summary: 'failure_rate is 12.5, over 5',
        source: 'service',
        severity: 'error',
        custom_details: { rule: 'Payments fail', value: 12.5 },
      },
    })
    expect(resolved).toMatchObject({
      routing_key: firing['routing_key'],
      event_action: 'resolve',
      dedup_key: firing['dedup_key'],
    })
  })

  test('5,000 characters give 1,024', () => {
    const { payload } = body({ text: 'é'.repeat(5_000) }) as { payload: { summary: string } }
    expect(codePoints(payload.summary)).toBe(1_024)
  })

  test('the summary is never empty, and a test keeps no key', () => {
    const { dedupKey: _dedupKey, ...test } = notification({ text: ' ', status: 'test' })
    const sent = JSON.parse(pagerdutyBody(test, config, 'Service')) as Record<string, unknown>
    expect(sent['payload']).toMatchObject({ summary: '[FIRING] Payments fail' })
    expect(sent['event_action']).toBe('trigger')
    expect(sent).not.toHaveProperty('dedup_key')
  })

  test('details that are too large are left out', () => {
    const { payload } = body({ fields: { much: 'x'.repeat(600_000) } })
    expect(payload).toMatchObject({ custom_details: {} })
  })
})

describe('webhook', () => {
  const at = { brand: 'service', now: 1_700_000_000_999 }

  test('the JSON goes as it is', () => {
    const payload = '{ "b":1.50,\n"a":2 }'
    expect(webhookBody(notification({ payload }))).toBe(payload)
    expect(JSON.parse(webhookBody(notification()))).toEqual(notification().fields)
  })

  test('a secret signs it as a delivery, and nobody can say otherwise', () => {
    const headers = webhookHeaders(
      notification({ id: 'n-1' }),
      {
        url: 'https://x/',
        headers: {
          'X-Mine': '1',
          Host: 'evil',
          'x-SERVICE-signature': 'forged',
          'Webhook-Id': '7',
        },
        secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0',
      },
      '{}',
      at,
    )
    expect(headers).toEqual({
      'content-type': 'application/json',
      'x-mine': '1',
      'X-Service-Event-ID': 'n-1',
      'X-Service-Timestamp': '1700000000',
      'X-Service-Signature': expect.stringMatching(/^v1=[0-9a-f]{64}$/),
      'webhook-id': 'n-1',
      'webhook-timestamp': '1700000000',
      'webhook-signature': expect.stringMatching(/^v1,/),
    })
  })

  test('without a secret there is no signature', () => {
    const config = { url: 'https://x/', headers: { 'Content-Type': 'text/plain' } }
    expect(webhookHeaders(notification(), config, '{}', at)).toEqual({
      'content-type': 'text/plain',
    })
  })
})

test.each([
  [{ status: 'firing', severity: 'critical' }, 'danger'],
  [{ status: 'firing', severity: 'error' }, 'danger'],
  [{ status: 'firing', severity: 'warning' }, 'warning'],
  [{ status: 'resolved', severity: 'critical' }, 'good'],
  [{ status: 'event', severity: 'info' }, 'info'],
  [{ status: 'event', severity: 'info', color: ' Danger ' }, 'danger'],
  [{ status: 'firing', severity: 'error', color: 'nonsense' }, 'danger'],
] as const)('the colour of %j is %s', (one, name) => expect(colorOf(one).name).toBe(name))

test('a colour of one’s own is kept', () => {
  const own = { status: 'event', severity: 'info', color: '#12AB9f' } as const
  expect(colorOf(own).hex).toBe('#12ab9f')
})

test('a text is cut by code points, and short ones not at all', () => {
  expect(cutText('abc', 3)).toBe('abc')
  expect(cutText('abcd', 3)).toBe('ab…')
  expect(cutText('😀😀😀😀', 3)).toBe('😀😀…')
  expect(cutText('\\\\\\a\\b', 4)).toBe('\\\\…')
  expect(cutText(`${'\\'.repeat(200_000)}abc`, 200_002)).toBe(`${'\\'.repeat(200_000)}a…`)
})
