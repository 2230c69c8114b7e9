/**
 * Settings: one zod object, each key with its default, its unit and a sentence. `.env.example` and
 * the README's table are made from it. Only a `main.ts` reads the environment.
 */
import { PLAN_NAMES } from '@posthorn/domain/plans'
import { StripePrices } from '@posthorn/contracts/billing'
import { z } from 'zod'
import { LOG_LEVELS } from './log.ts'
import { bytes, countOf, Flag, json, list, Port } from './setting-kinds.ts'
import { STORE_SETTINGS } from './store-settings.ts'

/** An origin, also one whose host begins with a wildcard: what CSP calls a host source. */
const FRAME_ANCESTOR = /^https?:\/\/(\*\.)?[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)*(:\d{1,5})?$/

export const Settings = z.object({
  HOST: z.string().default('127.0.0.1').describe('address to listen on'),
  PORT: Port.default(8080).describe('port to listen on; 0: any free one, printed'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'where the world reaches this installation, as in the addresses of inbound endpoints; default: `http://HOST:PORT`',
    ),
  TRUSTED_PROXIES: z.coerce
    .number()
    .int()
    .min(0)
    .max(10)
    .default(0)
    .describe(
      'how many proxies of yours stand in front and add to `X-Forwarded-For`; 0: the header is not believed',
    ),
  DATA_DIR: z
    .string()
    .default('.posthorn')
    .describe(
      "`standalone` and `cluster`: the embedded Postgres's files, generated keys, `api-key`, `url`",
    ),
  ...STORE_SETTINGS,
  MASTER_KEY: z
    .string()
    .optional()
    .describe(
      '32 bytes in base64, seals stored secrets; `standalone` without it: generated in `DATA_DIR`',
    ),
  MASTER_KEY_PREVIOUS: list(
    'former master keys, comma-separated: they still open what they sealed',
  ),
  PORTAL_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('where links to the portal lead; default: `PUBLIC_URL`'),
  SUBACCOUNT_JWT_SECRET: z
    .string()
    .min(32)
    .max(1_024)
    .optional()
    .describe(
      'signs the sessions of sub-accounts, at least 32 characters; without it: a key that is derived from `MASTER_KEY`',
    ),
  SUBACCOUNT_CROSS_SITE_EMBED: Flag.default(false).describe(
    'the portal may be embedded in pages of other sites: its cookie is `SameSite=None; Secure; Partitioned`',
  ),
  SUBACCOUNT_ALLOWED_FRAME_ANCESTORS: list(
    'origins whose pages may frame the portal, comma-separated; without it: none',
  ).refine(
    (origins) => origins.every((origin) => FRAME_ANCESTOR.test(origin)),
    'must be origins, such as https://app.example.com or https://*.example.com',
  ),
  BOOTSTRAP_API_KEY: z
    .string()
    .min(16)
    .max(255)
    .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters')
    .optional()
    .describe(
      'API key of the first workspace, which is made when there is none; without it: generated',
    ),
  BOOTSTRAP_EMAIL: z
    .email()
    .optional()
    .describe("email of the first workspace's admin; without it: no admin"),
  BOOTSTRAP_PASSWORD: z.string().min(10).max(128).optional().describe("the admin's password"),
  SIGNUP: z
    .enum(['open', 'first', 'closed'])
    .default('open')
    .describe(
      'who may make a workspace at `POST /auth/signup`; `first`: only while there is no user yet',
    ),
  DEFAULT_PLAN: z
    .enum(PLAN_NAMES)
    .default('self_hosted')
    .describe('plan of workspaces without a subscription'),
  BRAND: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9]{0,31}$/, 'must be letters and digits')
    .default('Service')
    .describe('the word in `X-Service-*` and the other wire names'),
  OAUTH_GOOGLE_CLIENT_ID: z.string().optional().describe('sign-in with Google: the client id'),
  OAUTH_GOOGLE_CLIENT_SECRET: z.string().optional().describe("and the client's secret"),
  OAUTH_GITHUB_CLIENT_ID: z.string().optional().describe('sign-in with GitHub: the client id'),
  OAUTH_GITHUB_CLIENT_SECRET: z.string().optional().describe("and the client's secret"),
  OAUTH_GITHUB_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('a GitHub Enterprise Server instead of github.com'),
  OAUTH_MICROSOFT_CLIENT_ID: z
    .string()
    .optional()
    .describe('sign-in with Microsoft: the client id'),
  OAUTH_MICROSOFT_CLIENT_SECRET: z.string().optional().describe("and the client's secret"),
  OAUTH_MICROSOFT_TENANT: z
    .string()
    .regex(/^[A-Za-z0-9.-]{1,253}$/)
    .default('common')
    .describe(
      'the Entra tenant that may sign in, by its id: with `common` an e-mail address proves nothing, so only people who are linked already come in',
    ),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('sign-in with any OpenID provider: its issuer'),
  OIDC_CLIENT_ID: z.string().optional().describe('the client id there'),
  OIDC_CLIENT_SECRET: z.string().optional().describe("and the client's secret"),
  OIDC_NAME: z.string().min(1).max(50).default('Single sign-on').describe('the name on its button'),
  SSO_TRUSTED_DOMAINS: list(
    'e-mail domains that count as proved for every workspace, whose admins are trusted with them: their people join by single sign-on',
  ).transform((domains) => domains.map((domain) => domain.toLowerCase())),
  EGRESS_ALLOW_CIDRS: list(
    'ranges that the default block list does not apply to, e.g. `127.0.0.0/8`',
  ),
  EGRESS_IPS: list('addresses that deliveries come from, shown at `GET /api/v1/egress-ips`'),
  REQUIRE_HTTPS: Flag.default(false).describe('refuse destinations that are not https'),
  MAX_INBOUND_BYTES: bytes(1024 * 1024, 'largest body of an inbound webhook, in bytes'),
  MAX_PAYLOAD_BYTES: bytes(256 * 1024, 'largest payload of an event, in bytes'),
  MAX_RESPONSE_BODY_BYTES: bytes(16 * 1024, "how much of an endpoint's answer is kept, in bytes"),
  SANDBOX_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe('threads that run transformations; without it: one less than there are processors'),
  MAX_TRIES_IN_FLIGHT: z.coerce
    .number()
    .int()
    .min(16)
    .max(4_096) // what was in flight must fit into the recorder's queue
    .default(2_048)
    .describe('deliveries that one dispatcher sends at once; at most half of them to slow targets'),
  MAX_ENDPOINTS: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000) // it bounds what fan-out and dispatchers keep of one workspace
    .default(10_000)
    .describe('endpoints that a workspace may have, whatever its plan'),
  MAX_EVENT_TYPES: countOf(5_000, 'event types, each with its schema, that a workspace may have'),
  MAX_INBOUND_ENDPOINTS: countOf(1_000, 'inbound endpoints that a workspace may have'),
  MAX_PROJECTS: countOf(100, 'projects that a workspace may have, the default one included'),
  MAX_SUB_ACCOUNTS: countOf(20_000, 'sub-accounts that a workspace may have'),
  MAX_HOLD_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(365)
    .default(30)
    .describe('a delivery that has been parked for this many days becomes dead'),
  POLL_VISIBILITY_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(43_200_000)
    .default(30_000)
    .describe(
      'visibility timeout: how long a fetched event stays hidden from other polls while it is not acknowledged, in ms',
    ),
  SHUTDOWN_LINGER_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(60_000)
    .default(0)
    .describe(
      'services with routes: how long requests are still served after SIGTERM while `/ready` is 503, in ms',
    ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'server that mails are sent through, `smtp://user:password@host:587` or `smtps://…`; a password is told to it only by TLS, unless the query is `?ignoreTLS=true`; without it the log has them',
    ),
  MAIL_FROM: z
    .string()
    .max(320)
    .optional()
    .describe(
      'sender of mails, `name@example.com` or `Name <name@example.com>`; `SMTP_URL` needs it',
    ),
  BILLING_PROVIDER: z
    .enum(['none', 'stripe'])
    .default('none')
    .describe('who sells plans; `none`: every workspace has `DEFAULT_PLAN`'),
  STRIPE_SECRET_KEY: z.string().min(1).optional().describe("key of Stripe's API"),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe('secret of the webhook that Stripe calls at `/api/v1/billing/stripe/webhook`'),
  STRIPE_PRICES: json('{"growth": {"monthly": "price_1", "annual": "price_2"}}')
    .pipe(StripePrices)
    .optional()
    .describe(
      'JSON: the id of Stripe\'s price of each plan that is sold, `{"growth": {"monthly": "price_1", "annual": "price_2"}}`; in an array, those behind the first were sold before',
    ),
  STRIPE_API_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.stripe.com')
    .describe("where Stripe's API is; another address is a stand-in's, for trying a setup"),
  STORAGE_DIR: z
    .string()
    .optional()
    .describe('folder below which storage endpoints may write files; without it: none may'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'OpenTelemetry collector that takes OTLP over HTTP, such as `http://collector:4318`: spans of events are sent to it; without it: none',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: list(
    'headers of the requests to the collector, `name=value`, comma-separated',
  ).refine(
    (headers) => headers.every((header) => /^[^=]+=/.test(header)),
    'must be name=value, comma-separated',
  ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe("share of the events without a sender's trace whose spans are sent"),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info').describe('least level that is logged'),
  NODE_ENV: z.string().default('').describe('`production`: `standalone` has no demo receiver'),
})
export type Settings = z.infer<typeof Settings>

/** Throws with every setting that is wrong, by name. An empty variable counts as not set. */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(
    Object.keys(Settings.shape)
      .filter((name) => environment[name] !== undefined && environment[name] !== '')
      .map((name) => [name, environment[name]]),
  )
  const parsed = Settings.safeParse(given)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`These settings are wrong:\n${problems.join('\n')}`)
}

/** Settings that a service in a process of its own can't do without. */
export function requireSettings<Name extends keyof Settings>(
  settings: Settings,
  names: readonly Name[],
): { [Key in Name]: NonNullable<Settings[Key]> } {
  const missing = names.filter((name) => {
    const value = settings[name]
    return value === undefined || (Array.isArray(value) && value.length === 0)
  })
  if (missing.length > 0)
    throw new Error(
      `Set ${missing.join(', ')}: a service alone needs ${missing.length > 1 ? 'them' : 'it'}.`,
    )
  return settings as { [Key in Name]: NonNullable<Settings[Key]> }
}

const SECRETS = /KEY|PASSWORD|SECRET|_URL$|OTLP_HEADERS$/

/** The settings for the log at start, with secrets masked. */
export function maskedSettings(settings: Settings): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      const empty = value === undefined || (Array.isArray(value) && value.length === 0)
      return [name, SECRETS.test(name) && !empty ? '***' : value]
    }),
  )
}
