/**
 * The folder in which a page's blocks run: with what `npm start` leaves there, and with the
 * packages of this repository where a reader has installed them.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { testPython } from '../../../sdks/python/tests/environment.ts'
import { root } from './blocks.ts'

/** Programs of a reader's, each as a line of shell. */
const PROGRAMS: Readonly<Record<string, string>> = {
  // An answer of 4xx is a failure, which readers see and a script does not.
  curl: `if [ -n "\${MAY_FAIL:-}" ]; then exec "$REAL_CURL" "$@"; fi; exec "$REAL_CURL" --fail-with-body "$@"`,
  posthorn: `exec node --disable-warning=ExperimentalWarning "${root}/cli/src/main.ts" "$@"`,
  npx: `if [ "$1" != posthorn ]; then echo "npx $1 is not known here" >&2; exit 1; fi; shift; exec posthorn "$@"`,
}

const GO_MODULE = `module first-webhook
go 1.25.0
require github.com/posthorn/posthorn-go v0.0.0
replace github.com/posthorn/posthorn-go => ${root}/sdks/go
`

export interface PageFolder {
  path: string
  env: Record<string, string>
}

/** @param hasPython its packages are fetched from PyPI, once */
export async function makePageFolder(
  url: string,
  apiKey: string,
  hasPython: boolean,
): Promise<PageFolder> {
  const path = mkdtempSync(join(tmpdir(), 'posthorn-guide-'))
  write(path, '.posthorn/url', url)
  write(path, '.posthorn/api-key', apiKey)
  const python = hasPython ? { python3: `exec "${await testPython()}" "$@"` } : {}
  for (const [name, line] of Object.entries({ ...PROGRAMS, ...python })) {
    write(path, `bin/${name}`, `#!/usr/bin/env bash\n${line}\n`)
    chmodSync(join(path, 'bin', name), 0o755)
  }
  linkNodePackages(path)
  write(path, 'go.mod', GO_MODULE)
  const { PATH = '', HOME = '' } = process.env
  const env = {
    HOME,
    PATH: `${join(path, 'bin')}:${dirname(process.execPath)}:${PATH}`,
    REAL_CURL: findProgram('curl', PATH),
    POSTHORN_URL: url,
    POSTHORN_API_KEY: apiKey,
    POSTHORN_CONFIG_DIR: join(path, '.config'),
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    PYTHONPATH: join(root, 'sdks/python/src'),
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONUNBUFFERED: '1',
  }
  return { path, env }
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/**
 * `@posthorn/node` from its sources, which Node runs as they are: what is packed of them has a test
 * of its own.
 */
function linkNodePackages(folder: string): void {
  const sdk = join(folder, 'node_modules/@posthorn/node')
  mkdirSync(sdk, { recursive: true })
  const manifest = JSON.parse(readFileSync(join(root, 'sdks/node/package.json'), 'utf8')) as object
  const exports = { '.': './src/posthorn-node.ts', './webhooks': './src/webhooks.ts' }
  writeFileSync(join(sdk, 'package.json'), JSON.stringify({ ...manifest, exports }))
  symlinkSync(join(root, 'sdks/node/src'), join(sdk, 'src'))
  symlinkSync(join(root, 'libs/http/node_modules/express'), join(folder, 'node_modules/express'))
  mkdirSync(join(folder, 'node_modules/@types'))
  symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'))
}

function findProgram(name: string, path: string): string {
  const places = path.split(delimiter).map((folder) => join(folder, name))
  return places.find((place) => existsSync(place)) ?? name
}
