/** docker-compose.yml: read as `docker compose config` reads it, and held to what it promises. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { Settings } from '@posthorn/runtime/config'
import { parse } from 'yaml'
import { SERVICES } from '../../scripts/cluster/options.ts'
import { type Manifest, root, run, testWith } from './tools.ts'

const SECRETS = {
  MASTER_KEY: 'm',
  POSTGRES_PASSWORD: 'p',
  REDIS_PASSWORD: 'r',
  GRAFANA_PASSWORD: 'g',
}
const text = await readFile(join(root, 'docker-compose.yml'), 'utf8')
const compose = parse(text, { merge: true }) as { services: Record<string, Manifest> }
const services = Object.entries(compose.services)
const ours = services.filter(([, { image }]) => String(image).startsWith('${POSTHORN_IMAGE'))

testWith(['compose-check'], 'the compose file loads with every profile', async (paths) => {
  for (const profiles of ['', 'dev', 'observability', 'dev,observability']) {
    const { code, stdout, stderr } = await run(
      paths['compose-check'],
      ['docker-compose.yml', profiles],
      SECRETS,
    )
    expect({ profiles, code, stderr }).toEqual({ profiles, code: 0, stderr: '' })
    const loaded = Object.keys((JSON.parse(stdout) as { services: object }).services)
    expect(loaded).toEqual(expect.arrayContaining([...SERVICES, 'gateway', 'migrate']))
    expect(loaded.includes('grafana')).toBe(profiles.includes('observability'))
    expect(loaded.includes('receiver')).toBe(profiles.includes('dev'))
  }
})

testWith(['compose-check'], 'without keys it says how to get them', async (paths) => {
  for (const name of Object.keys(SECRETS)) {
    const env = { ...SECRETS, [name]: '' }
    const { code, stderr } = await run(
      paths['compose-check'],
      ['docker-compose.yml', 'observability'],
      env,
    )
    expect({ name, code }).toEqual({ name, code: 1 })
    expect(stderr).toContain('run deploy/env.sh first')
  }
})

test('it has the eight services, one image for all, and can scale each', () => {
  expect(SERVICES.filter((name) => compose.services[name] === undefined)).toEqual([])
  for (const name of SERVICES) {
    expect(compose.services[name]?.['command']).toEqual([name])
    expect(compose.services[name]?.['ports']).toBeUndefined()
    expect(compose.services[name]?.['container_name']).toBeUndefined()
  }
  expect(new Set(ours.map(([, { image }]) => image)).size).toBe(1)
})

test('images are tagged, ports are on loopback, dependencies wait for something', () => {
  for (const [name, service] of services) {
    expect(`${name} ${service['image']}`).toMatch(/:v?\d+(\.\d+)*(-alpine)?\}?$/)
    for (const port of service['ports'] ?? []) expect(`${name} ${port}`).toContain(' 127.0.0.1:')
    const { depends_on: dependsOn = {} } = service
    expect(Array.isArray(dependsOn)).toBe(false)
    for (const { condition } of Object.values(dependsOn as Record<string, Manifest>))
      expect(condition).toMatch(/^service_(healthy|completed_successfully)$/)
  }
})

test('everything is hardened, bounded and watched', () => {
  for (const [name, service] of services) {
    expect({ name, drop: service['cap_drop'], options: service['security_opt'] }).toEqual({
      name,
      drop: ['ALL'],
      options: ['no-new-privileges:true'],
    })
    expect({ name, memory: service['deploy'].resources.limits.memory }).toEqual({
      name,
      memory: expect.stringMatching(/^\d+[MG]$/),
    })
    expect({ name, watched: service['healthcheck'] }).not.toEqual({ name, watched: undefined })
  }
  for (const [name, { read_only: readOnly, user }] of ours)
    expect({ name, readOnly, user }).toEqual({ name, readOnly: true, user: '10001:10001' })
})

test('each setting that it gives exists, and those that a service needs are given', () => {
  const given = Object.keys(compose.services['dispatcher']?.['environment'] ?? {})
  expect(given.filter((name) => !(name in Settings.shape))).toEqual([])
  const needed = ['HOST', 'DATABASE_URL', 'REDIS_URL', 'KAFKA_BROKERS', 'MASTER_KEY', 'PUBLIC_URL']
  expect(needed.filter((name) => !given.includes(name))).toEqual([])
})

test('deploy/env.sh writes every variable that has no default', async () => {
  const script = await readFile(join(root, 'deploy/env.sh'), 'utf8')
  const required = [...new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name))]
  expect(required.length).toBeGreaterThan(3)
  expect(required.filter((name) => !new RegExp(`^${name}=`, 'm').test(script))).toEqual([])
})
