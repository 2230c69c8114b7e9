import { expect, test } from '@jest/globals'
import { compilePath } from '@posthorn/domain/json-path'
import type { HandshakeRule } from './handshake-rules.ts'
import { EXPECTED_MODES } from './expected-modes.fixture.ts'
import type { ValueAt } from './value-at.ts'
import type { PublicKeyAt, SharedKeyAt, Verification } from './verification-rules.ts'
import { findPreset, loadPresets } from './presets.ts'

const PRESETS = await loadPresets()

const WORDS =
  /^(body|t|key|method|url|path|(header|query|form|config):[\w-]+|json:\$.+|(sha256|base64):body)$/

/** What a preset refers to: config keys, paths into the body, and words of templates. */
interface Uses {
  keys: string[]
  paths: string[]
  templates: string[]
}

function usesOf(preset: { verify: Verification; handshakes?: readonly HandshakeRule[] }): Uses {
  const uses: Uses = { keys: [], paths: [], templates: [] }
  inRule(preset.verify, uses)
  for (const rule of preset.handshakes ?? []) {
    const { has = [], hasNot = [], equals = [], proof } = rule.when
    for (const at of [...has, ...hasNot, ...equals.map((one) => one.at)]) inPlace(at, uses)
    if (proof !== undefined) {
      inPlace(proof.at, uses)
      uses.keys.push(proof.config)
    }
    if ('echo' in rule) {
      inPlace(rule.echo, uses)
      if ('hash' in rule.as) uses.keys.push(rule.as.key)
    }
  }
  return uses
}

function inRule(rule: Verification, uses: Uses): void {
  if ('needs' in rule) {
    uses.keys.push(...(rule.needs ?? []).map((need) => need.replace(/^!|\??=.*$/g, '')))
  }
  switch (rule.kind) {
    case 'any':
    case 'all':
      for (const one of rule.of) inRule(one, uses)
      return
    case 'token':
      inPlace(rule.at, uses)
      uses.keys.push(rule.config)
      return
    case 'basic':
      uses.keys.push('username', 'password')
      return
    case 'hmac':
    case 'asymmetric':
      inPlace(rule.signature.at, uses)
      if (rule.signature.format?.prefix !== undefined) inText(rule.signature.format.prefix, uses)
      if (rule.content === undefined) inText(rule.signed, uses)
      if (rule.timestamp !== undefined && rule.timestamp.at !== 'signature') {
        inPlace(rule.timestamp.at, uses)
      }
      if (rule.kind === 'hmac') uses.keys.push(rule.key?.config ?? 'secret')
      else inKey(rule.key, uses)
      return
    case 'jwt':
      inPlace(rule.at, uses)
      inKey(rule.key, uses)
      for (const one of [rule.issuer, rule.audience]) {
        if (typeof one === 'object' && 'config' in one) uses.keys.push(one.config)
        else for (const text of [one ?? []].flat()) inText(text, uses)
      }
      for (const { is } of rule.claims ?? []) inText('text' in is ? is.text : is.hashOf, uses)
      return
    case 'custom':
    case 'none':
  }
}

function inKey(key: SharedKeyAt | PublicKeyAt, uses: Uses): void {
  if ('config' in key) uses.keys.push(key.config)
  if ('pemBy' in key) uses.keys.push(key.pemBy)
  if ('jwks' in key) inText(key.jwks, uses)
  if ('urlAt' in key) inPlace(key.urlAt, uses)
}

function inPlace(at: ValueAt, uses: Uses): void {
  if ('json' in at) uses.paths.push(at.json)
  if ('config' in at) uses.keys.push(at.config)
  for (const name of ['headerNamedBy', 'queryNamedBy', 'memberNamedBy'] as const) {
    if (name in at) uses.keys.push((at as Record<string, string>)[name] as string)
  }
}

function inText(text: string, uses: Uses): void {
  const words = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, word = '']) => word)
  uses.templates.push(...words)
  for (const word of words) {
    if (word.startsWith('config:')) uses.keys.push(word.slice('config:'.length))
    if (word.startsWith('json:')) uses.paths.push(word.slice('json:'.length))
  }
}

test('every platform has one preset, of the mode that it is known by', async () => {
  const found = PRESETS.map(({ source, mode }) => [source, mode])
  expect(found.toSorted()).toEqual(Object.entries(EXPECTED_MODES).toSorted())
  for (const preset of PRESETS) expect(await findPreset(preset.source)).toBe(preset)
  for (const name of ['nobody', 'constructor', '__proto__'])
    expect(await findPreset(name)).toBeNull()
})

describePresets('asks for each config key that it uses', (preset) => {
  const known = preset.configKeys.map(({ name }) => name)
  expect(new Set(known).size).toBe(known.length)
  // Custom verifiers, and presets where the user names a header, use keys that only they know.
  expect(known).toEqual(expect.arrayContaining(usesOf(preset).keys.filter((key) => key !== '')))
})

describePresets('says nothing that has no meaning', (preset) => {
  const { paths, templates } = usesOf(preset)
  const named = [...preset.eventType, ...preset.deliveryId].flatMap((path) =>
    path.startsWith('$') ? path : [...path.matchAll(/\{(\$[^}]*)\}/g)].map(([, one = '']) => one),
  )
  const refused = [...paths, ...named].filter((path) => compilePath(path).outcome === 'invalid')
  expect(refused).toEqual([])
  expect(templates.filter((word) => !WORDS.test(word))).toEqual([])
  for (const path of [...preset.eventType, ...preset.deliveryId]) expect(path).toMatch(/^\$|\{\$/)
})

describePresets('is told in whole sentences, and where its documents are', (preset) => {
  expect(preset.docs).toMatch(/^https:\/\/[a-z0-9.-]+\//)
  for (const { meaning } of preset.configKeys) expect(meaning).toMatch(/\.$/)
  if (preset.notes !== undefined) expect(preset.notes).toMatch(/^[A-Z].*[.)]$/s)
})

function describePresets(name: string, check: (preset: (typeof PRESETS)[number]) => void): void {
  test.each(PRESETS.map((preset) => [preset.source, preset] as const))(`%s ${name}`, (_, preset) =>
    check(preset),
  )
}
