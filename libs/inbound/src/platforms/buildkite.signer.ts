/** An independent signer of Buildkite, written from its documents. */
import { mac, type Signer, token } from '../signers/signer.fixture.ts'

const build = {
  event: 'build.finished',
  build: { id: 'f62a1b4d-10f9-4790-bc1c-e2c3a0c80983', state: 'passed' },
}

export const signers: readonly Signer[] = [
  mac({
    source: 'buildkite',
    header: 'X-Buildkite-Signature',
    config: { auth_mode: 'signature' },
    headers: { 'X-Buildkite-Event': 'build.finished' },
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `timestamp=${t},signature=${s}`,
    time: { unit: 's', tolerance: 300 },
    body: build,
    type: 'build.finished',
  }),
  token({
    source: 'buildkite',
    variant: 'by token',
    header: 'X-Buildkite-Token',
    config: { auth_mode: 'token' },
    headers: { 'X-Buildkite-Event': 'build.finished' },
    body: build,
    type: 'build.finished',
  }),
]
