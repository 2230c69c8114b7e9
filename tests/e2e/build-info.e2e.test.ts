/** Every process tells in its metrics which version it runs. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { VERSION } from '@posthorn/boot/version'
import { MODES } from './posthorn.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

interface Told {
  service: string
  version: string
}

describe.each(MODES)('build info, %s', (mode) => {
  let posthorn: SharedProduct
  beforeAll(async () => {
    posthorn = await joinProduct(mode)
  }, 150_000)
  afterAll(async () => await posthorn.leave(), 60_000)

  async function processes(): Promise<{ service: string; url: string }[]> {
    if (mode === 'standalone') return [{ service: mode, url: posthorn.url }]
    const text = await readFile(join(posthorn.dataDir, 'cluster.json'), 'utf8')
    const started = JSON.parse(text).processes as { service: string; port: number }[]
    return started.map(({ service, port }) => ({ service, url: `http://127.0.0.1:${port}` }))
  }

  async function buildInfo(url: string): Promise<Told[]> {
    const text = await (await fetch(`${url}/metrics`)).text()
    return [...text.matchAll(/^posthorn_build_info\{(.+)\} 1$/gm)].map(([, labels = '']) => ({
      service: /service="([^"]+)"/.exec(labels)?.[1] ?? '',
      version: /version="([^"]+)"/.exec(labels)?.[1] ?? '',
    }))
  }

  test('each process has one line with its version', async () => {
    const all = await processes()
    expect(all.length).toBeGreaterThanOrEqual(mode === 'standalone' ? 1 : 8)
    for (const { service, url } of all)
      expect(await buildInfo(url)).toEqual([{ service, version: VERSION }])
  })
})
