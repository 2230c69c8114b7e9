/**
 * Starts Chromium, for what only a browser can show. Playwright would download a build of its own;
 * this takes the one of the machine, and where there is none installs Debian's.
 */
import { spawnSync } from 'node:child_process'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']
/** 100 MB of packages. */
const INSTALL_TIMEOUT_MS = 300_000
const HOW = 'Install Chromium (Debian: apt-get install chromium) and see that it is on the PATH.'

// As root Chromium refuses to start with its sandbox; the pages are the test's own.
const ARGS = ['--no-sandbox']

/** Throws with what to do. */
export async function startChromium(): Promise<Browser> {
  return await chromium.launch({ executablePath: executable(), args: ARGS })
}

/** A browser for several processes, each of which reaches it by its address. */
export async function startSharedChromium(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = await chromium.launchServer({
    executablePath: executable(),
    args: ARGS,
    host: '127.0.0.1',
    // A test that still ends after a signal needs its browser; whoever started it stops it.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
  return { url: server.wsEndpoint(), stop: () => server.close() }
}

/** Closing it ends what was opened through it, and leaves the browser to others. */
export async function joinChromium(url: string): Promise<Browser> {
  return await chromium.connect(url)
}

function executable(): string {
  return findChromium() ?? installChromium()
}

function findChromium(): string | undefined {
  const paths = NAMES.map((name) =>
    spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim(),
  )
  return paths.find((path) => path !== '')
}

function installChromium(): string {
  const isRoot = process.getuid?.() === 0
  if (!isRoot || spawnSync('apt-get', ['--version']).status !== 0) {
    throw new Error(`There is no Chromium on the PATH. ${HOW}`)
  }
  process.stderr.write('Chromium is not there: installing it with apt-get\n')
  const options = {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    encoding: 'utf8',
    timeout: INSTALL_TIMEOUT_MS,
  } as const
  spawnSync('apt-get', ['-q', 'update'], options)
  const install = ['-y', '-q', '--no-install-recommends', 'install', 'chromium']
  const done = spawnSync('apt-get', install, options)
  const path = findChromium()
  if (path !== undefined) return path
  throw new Error(`apt-get could not install Chromium: ${done.stderr.trim()}\n${HOW}`)
}
