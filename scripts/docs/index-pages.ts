/** The index of the documents, for people (`docs/README.md`) and for models (`docs/llms.txt`). */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { API_GROUPS } from './api-groups.ts'

const docs = fileURLToPath(new URL('../../docs/', import.meta.url))

interface Section {
  title: string
  /** Paths relative to `docs`, with what the page is for. */
  pages: Readonly<Record<string, string>>
}

/** A page says by its own first sentence what it is for. */
const BY_ITSELF = ''

const SECTIONS: readonly Section[] = [
  {
    title: 'Start here',
    pages: {
      'guides/quick-start-node.md': 'Send a webhook and receive it, verified, in five minutes.',
      'guides/quick-start-python.md': 'The same in Python.',
      'guides/quick-start-go.md': 'The same in Go.',
      'guides/concepts.md': BY_ITSELF,
    },
  },
  {
    title: 'Send and receive',
    pages: {
      'guides/sending-events.md': BY_ITSELF,
      'guides/receiving.md': 'What arrives, what to answer, and how to tell a repeat.',
      'guides/verifying.md': 'Signatures: by the SDK, by any library, by hand; new secrets.',
      'guides/polling.md': 'For applications without a public address.',
      'guides/retries.md': 'Back-off, dead events, replays, circuit breaker, rate limit.',
      'guides/ordering.md': 'One after the other, in lanes.',
      'guides/filters.md': 'Choose events by what is in them, and see why one did not match.',
      'guides/transformations.md': 'Change what an endpoint is sent, by a script.',
      'inbound.md': 'Receive the webhooks of some 260 platforms, each verified in its own way.',
      '../cli/README.md': 'The command line: forward, follow, explain, replay, configure.',
      '../sdks/node/README.md': 'The SDK for Node.js.',
      '../sdks/python/README.md': 'The SDK for Python, with and without asyncio.',
      '../sdks/go/README.md': 'The SDK for Go.',
    },
  },
  {
    title: "Your customers' portal",
    pages: {
      'sub-accounts.md': 'Accounts for your customers, and links into their portal.',
      'embedding.md': 'The portal in a frame of yours, in your colours.',
    },
  },
  {
    title: 'People, rules and alerts',
    pages: {
      'alerting.md': 'Analytics, live stats, alert rules, connectors and their templates.',
      'access.md': 'Roles, passwords and second factors, API keys, single sign-on, plans.',
      'sso/okta.md': 'OpenID Connect, SAML and SCIM, step by step.',
      'sso/entra.md': 'OpenID Connect, SAML and SCIM, step by step.',
      'sso/google.md': 'OpenID Connect and SAML, step by step.',
      'sso/keycloak.md': 'OpenID Connect and SAML, step by step.',
      'compliance.md': 'Audit, retention, export and erasure.',
    },
  },
  {
    title: 'Run it',
    pages: {
      'settings.md': 'Every setting, with its default.',
      'kubernetes.md': 'Install, size, scale and upgrade by the Helm chart.',
      'performance.md': 'What an event costs, how to size an installation, what limits it.',
      'operations.md': 'Metrics, log lines, what to look at when; restarts and upgrades.',
      'backup.md': 'What to back up, and how to restore it.',
      'reliability.md': 'What is promised, how it is tested, and the known weaknesses.',
      'runbooks/*.md': BY_ITSELF,
    },
  },
  {
    title: 'Reference',
    pages: {
      'api/README.md': BY_ITSELF,
      'errors.md': 'Every code of the API and of attempts, with cause and remedy.',
      'glossary.md': BY_ITSELF,
    },
  },
  {
    title: 'Migrate',
    pages: {
      'guides/migrate-from-svix.md': 'What maps to what, and in which order to move.',
      'guides/migrate-from-convoy.md': 'What maps to what, and in which order to move.',
      'guides/migrate-from-outpost.md': 'What maps to what, and in which order to move.',
    },
  },
  {
    title: 'How it is made',
    pages: {
      'architecture.md': BY_ITSELF,
      'decisions/README.md': 'Why it is as it is: a page for each decision.',
    },
  },
]
/** Pages that have an index of their own, or are one. */
const ELSEWHERE = ['README.md', 'api/*.md', 'decisions/*.md']

interface PageEntry {
  path: string
  title: string
  about: string
}

const TITLE = 'Posthorn: the documents'
const ABOUT =
  'Posthorn accepts events over REST and delivers them to your customers as signed webhooks, with retries and a record of every attempt.'

export function indexPages(): Record<string, string> {
  const sections = SECTIONS.map(({ title, pages }) => ({
    title,
    entries: Object.entries(pages).flatMap(([pattern, about]) =>
      expand(pattern).map((path) => readEntry(path, about)),
    ),
  }))
  const listed = new Set(sections.flatMap(({ entries }) => entries.map(({ path }) => path)))
  const other = new Set(ELSEWHERE.flatMap(expand))
  const forgotten = globSync('**/*.md', { cwd: docs }).filter(
    (path) => !listed.has(path) && !other.has(path),
  )
  if (forgotten.length > 0) throw new Error(`name ${forgotten.join(', ')} in SECTIONS`)
  const tables = sections.map(
    ({ title, entries }) =>
      `## ${title}\n\n| page | |\n|---|---|\n${entries
        .map((entry) => `| [${entry.title}](${entry.path}) | ${entry.about} |`)
        .join('\n')}\n`,
  )
  const api = API_GROUPS.map(({ name, title, about }) => ({
    path: `api/${name}.md`,
    title: `API: ${title}`,
    about,
  }))
  const lists = [...sections, { title: 'API, by resource', entries: api }].map(
    ({ title, entries }) =>
      `## ${title}\n\n${entries
        .map((entry) => `- [${entry.title}](${entry.path}): ${entry.about}`)
        .join('\n')}\n`,
  )
  return {
    'docs/README.md': `<!-- Made by \`npm run docs\`. -->\n\n# ${TITLE}\n\n${ABOUT}\n\n${tables.join('\n')}`,
    'docs/llms.txt': `# Posthorn\n\n> ${ABOUT}\n\nThe OpenAPI 3.1 document of an installation is at /openapi.json.\n\n${lists.join('\n')}`,
  }
}

function expand(pattern: string): string[] {
  if (!pattern.includes('*')) return [pattern]
  return globSync(pattern, { cwd: docs }).toSorted()
}

function readEntry(path: string, about: string): PageEntry {
  const text = readFileSync(join(docs, path), 'utf8')
  const [, title] = /^# (.+)$/m.exec(text) ?? []
  if (title === undefined) throw new Error(`docs/${path} has no title`)
  return { path, title, about: about === BY_ITSELF ? firstSentence(text) : about }
}

function firstSentence(text: string): string {
  const paragraphs = text.split(/\n{2,}/).filter((part) => !/^(?:#|<!--|\||```)/.test(part))
  const plain = (paragraphs[0] ?? '').replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
  const [sentence = plain] = /^[^]+?[.](?=\s|$)/.exec(plain.trim()) ?? []
  return sentence.replaceAll(/\s+/g, ' ')
}
