/**
 * The SDK for Python as its users install it, from the wheel: pytest, with every version of Python
 * that is here, types, and lint. The first run on a machine fetches packages from PyPI.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { isLongForm } from '@posthorn/testing/long-form'
import {
  otherPythons,
  runProgram,
  SDK,
  testPython,
  unpackWheel,
  withPython,
} from './environment.ts'

const TYPED = `
from posthorn import AsyncPosthorn, Posthorn, webhooks
from posthorn.types import EventDetail

client = Posthorn(api_key="k", base_url="https://hooks.example.com")
event: EventDetail = client.events.get("e1", timeout_seconds=5)
ids: list[str] = [one["id"] for one in client.events.list(status="dead")]
headers: dict[str, str] = webhooks.sign("{}", "s")


async def first() -> str:
    async with AsyncPosthorn(api_key="k", base_url="https://hooks.example.com") as client:
        page = await client.endpoints.list(limit=1).page()
        return page.data[0]["url"]
`
const WRONG = `
from posthorn import Posthorn

client = Posthorn(api_key="k", base_url="https://hooks.example.com")
client.events.create({"eventType": "a", "payload": 1})
client.events.list(status="lost")
client.events.get("e1", timeout=5)
client.events.get("e1")["nothing"]
`

withPython('the SDK for Python', () => {
  let folder: string
  let python: string
  let site: string
  let env: NodeJS.ProcessEnv
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'posthorn-sdk-python-'))
    python = await testPython()
    site = join(folder, 'site')
    await unpackWheel(python, site)
    env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: site }
  }, 400_000)
  afterAll(async () => await rm(folder, { recursive: true, force: true }))

  async function pytest(by: string, path: string): Promise<string> {
    const options = { cwd: SDK, env: { ...env, PYTHONPATH: path } }
    const { stdout } = await runProgram(by, ['-m', 'pytest', '-q', '-rs'], options).catch(
      (error: Error & { stdout: string }) => {
        throw new Error(error.stdout.slice(-8_000), { cause: error })
      },
    )
    return stdout
  }

  test('its tests pass', async () => {
    const output = await pytest(python, site)
    expect(output).toMatch(/\n\d{3,} passed in /)
  }, 120_000)

  test('they pass with other versions of Python', async () => {
    const others = otherPythons(python)
    // What is written in Python is the same for all of them; what is not, FastAPI above all, is
    // not there, and its tests are skipped.
    const print = 'import sysconfig; print(sysconfig.get_path("purelib"))'
    const { stdout } = await runProgram(python, ['-c', print])
    const path = [site, stdout.trim()].join(delimiter)
    for (const other of isLongForm ? others : others.slice(-1))
      expect(await pytest(other, path)).toMatch(/\n\d{3,} passed/)
  }, 300_000)

  test('its types and its style hold, for the oldest version of Python', async () => {
    await runProgram(python, ['-m', 'mypy'], { cwd: SDK })
    await runProgram(python, ['-m', 'ruff', 'check', '.'], { cwd: SDK })
    await runProgram(python, ['-m', 'ruff', 'format', '--check', '.'], { cwd: SDK })
    const vermin = ['-t=3.9-', '--no-tips', '--exclude', 'typing.NotRequired', join(SDK, 'src')]
    await runProgram(join(python, '../vermin'), vermin)
  }, 120_000)

  test('its users have its types', async () => {
    await writeFile(join(folder, 'typed.py'), TYPED)
    await writeFile(join(folder, 'wrong.py'), WRONG)
    const mypy = ['-m', 'mypy', '--strict', '--cache-dir', join(folder, 'cache')]
    const options = { cwd: folder, env: { ...env, MYPYPATH: '' } }
    await runProgram(python, [...mypy, 'typed.py'], options)
    const refused = await runProgram(python, [...mypy, 'wrong.py'], options).catch(
      (error: { stdout: string }) => error,
    )
    const lines = [...refused.stdout.matchAll(/^wrong\.py:(\d+): error/gm)].map(([, line]) => line)
    expect(lines).toEqual(['5', '6', '7', '8'])
  }, 120_000)
})
