/** Bodies and answers of the routes of sub-accounts. */
import { THEME_COLORS, type ThemePalette, unreadablePairs } from '@posthorn/domain/portal-theme'
import { z } from 'zod'
import { EmailAddress } from './email-address.ts'
import { byteLength, JsonObject, MAX_URL_CHARACTERS, PageQuery, pageOf, textOf } from './fields.ts'

const MAX_METADATA_BYTES = 16 * 1024
const MAX_LOGO_BYTES = 64 * 1024
export const SUB_ACCOUNT_STATUSES = ['active', 'deactivated'] as const

const externalId = textOf(1, 255)
const name = textOf(1, 255).nullable()
const email = EmailAddress.nullable()
const metadata = JsonObject.refine(
  (value) => byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES,
  `must be at most ${MAX_METADATA_BYTES} bytes of JSON`,
).nullable()
const status = z.enum(SUB_ACCOUNT_STATUSES)

export const CreateSubAccount = z
  .strictObject({
    externalId: externalId.optional(),
    subID: externalId.optional().describe('another name of externalId'),
    name: name.optional(),
    email: email.optional(),
    metadata: metadata.optional(),
  })
  .superRefine((body, context) => {
    if ((body.externalId === undefined) === (body.subID === undefined)) {
      const message = 'must be given, either as externalId or as subID'
      context.addIssue({ code: 'custom', path: ['externalId'], message })
    }
  })
  .meta({ oneOf: [{ required: ['externalId'] }, { required: ['subID'] }] })
export type CreateSubAccount = z.infer<typeof CreateSubAccount>

export const UpdateSubAccount = z.strictObject({ name, email, metadata, status }).partial()
export type UpdateSubAccount = z.infer<typeof UpdateSubAccount>

export const SubAccount = z.object({
  id: z.string(),
  externalId: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  status,
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type SubAccount = z.infer<typeof SubAccount>

export const SubAccountPage = pageOf(SubAccount)
export const SubAccountListQuery = PageQuery.extend({
  externalId: z.string().max(255).optional(),
  status: status.optional(),
  q: z.string().min(1).max(255).optional().describe('how the name or the external id begins'),
})
export type SubAccountListQuery = z.infer<typeof SubAccountListQuery>

/** Where somebody is sent from the portal. User-info in a URL could pretend to be another host. */
export const ReturnUrl = z
  .string()
  .max(MAX_URL_CHARACTERS)
  .refine(isReturnUrl, 'must be an http or https URL without user-info')
  .meta({ override: { type: 'string', format: 'uri', maxLength: MAX_URL_CHARACTERS } })

function isReturnUrl(text: string): boolean {
  if (!URL.canParse(text) || /[\p{Cc}\s]/u.test(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

export const THEME_FONTS = ['inter', 'system', 'serif', 'monospace'] as const

const LOGO = /^data:image\/(png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})$/
/** How the files of each type begin, in hex. */
const LOGO_BEGINNINGS: Readonly<Record<string, RegExp>> = {
  png: /^89504e470d0a1a0a/,
  jpeg: /^ffd8ff/,
  webp: /^52494646.{8}57454250/,
}
const MAX_LOGO_CHARACTERS = Math.ceil(MAX_LOGO_BYTES / 3) * 4 + 30

const logo = z
  .string()
  .max(MAX_LOGO_CHARACTERS)
  .refine(isLogo, `must be a data URL of a PNG, JPEG or WebP of at most ${MAX_LOGO_BYTES} bytes`)
  .meta({ override: { type: 'string', maxLength: MAX_LOGO_CHARACTERS, pattern: LOGO.source } })

function isLogo(text: string): boolean {
  const [, type = '', content = ''] = LOGO.exec(text) ?? []
  if (content === '') return false
  const bytes = Buffer.from(content, 'base64')
  const beginning = bytes.subarray(0, 12).toString('hex')
  return bytes.length <= MAX_LOGO_BYTES && LOGO_BEGINNINGS[type]?.test(beginning) === true
}

const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour as #rrggbb')
const Palette = z.strictObject(
  Object.fromEntries(THEME_COLORS.map((each) => [each, color])) as Record<
    (typeof THEME_COLORS)[number],
    typeof color
  >,
)

export const PortalTheme = z
  .strictObject({
    brandName: textOf(1, 100).nullable().optional(),
    logo: logo.nullable().optional(),
    font: z.enum(THEME_FONTS).optional(),
    light: Palette.nullable().optional(),
    dark: Palette.nullable().optional(),
  })
  .superRefine((theme, context) => {
    for (const appearance of ['light', 'dark'] as const) {
      const palette: ThemePalette | null = theme[appearance] ?? null
      if (palette === null) continue
      for (const { text, background, contrast } of unreadablePairs(palette, appearance)) {
        const message = `${text} on ${background} has a contrast of ${contrast.toFixed(2)}: 4.5 is the least`
        context.addIssue({ code: 'custom', path: [appearance, background], message })
      }
    }
  })
export type PortalTheme = z.infer<typeof PortalTheme>

export const UpdateSubAccountSettings = z
  .strictObject({ defaultReturnUrl: ReturnUrl.nullable(), theme: PortalTheme.nullable() })
  .partial()

export const SubAccountSettings = z.object({
  defaultReturnUrl: z.string().nullable(),
  theme: z
    .object({
      brandName: z.string().nullable(),
      logo: z.string().nullable(),
      font: z.enum(THEME_FONTS),
      light: Palette.nullable(),
      dark: Palette.nullable(),
    })
    .nullable(),
})
export type SubAccountSettings = z.infer<typeof SubAccountSettings>
