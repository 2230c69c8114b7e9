/**
 * The SDK for Python against the product, installed by pip in an environment of its own: what is
 * sent by it arrives, is verified by it, and is explained by it; and what its README says is so.
 * It fetches packages from PyPI.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { installSdk, runProgram, SDK, withPython } from '../../sdks/python/tests/environment.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

withPython('the SDK for Python against the product', () => {
  let folder: string
  let installed: { python: string; packages: string[] }
  let product: SharedProduct
  let receiver: Receiver
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'posthorn-sdk-python-'))
    installed = await installSdk(join(folder, 'environment'))
    receiver = await startReceiver()
    product = await joinProduct('standalone')
  }, 600_000)
  afterAll(async () => {
    await product?.leave()
    await receiver?.close()
    await rm(folder, { recursive: true, force: true })
  }, 60_000)

  async function run(file: string): Promise<string> {
    const env = {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: '1',
      POSTHORN_API_KEY: product.apiKey,
      POSTHORN_URL: product.url,
    }
    return (await runProgram(installed.python, [file], { cwd: folder, env })).stdout
  }

  test('it brings httpx and what that needs, and nothing else', () => {
    const itsOwn = ['anyio', 'certifi', 'h11', 'httpcore', 'httpx', 'idna', 'posthorn']
    const withPip = ['pip', 'setuptools', 'typing_extensions', 'exceptiongroup', 'sniffio']
    expect(installed.packages.filter((name) => !withPip.includes(name))).toEqual(itsOwn)
  })

  test('what is sent by it arrives, is verified by it, and is explained by it', async () => {
    expect(await run(join(SDK, 'tests/use_product.py'))).toBe('used\n')
  }, 60_000)

  test('the clients of its README do what it says', async () => {
    const readme = await readFile(join(SDK, 'README.md'), 'utf8')
    const blocks = [...readme.matchAll(/```python\n([^]*?)```/g)]
      .map(([, block = '']) => block)
      .filter((block) => block.includes('Posthorn('))
    const printed: string[] = []
    for (const [at, block] of blocks.entries()) {
      const file = join(folder, `readme_${at}.py`)
      const text = block
        .replace('https://hooks.example.com', product.url)
        .replace('https://example.com/webhooks', `${receiver.url}/readme`)
      await writeFile(file, text)
      printed.push(await run(file))
    }
    const [sent = '', listed = ''] = printed
    expect(sent).toMatch(/^[0-9a-f-]{36}\n$/)
    await receiver.waitFor(4)
    // The three that were made, and the one of the first block.
    expect(listed.split('\n')[0]).toBe('3')
    expect(listed.match(/^[0-9a-f-]{36} \w+$/gm)).toHaveLength(4)
    expect(listed).toContain(sent.trim())
  }, 60_000)
})
