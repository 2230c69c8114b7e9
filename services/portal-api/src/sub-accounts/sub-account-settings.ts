/** What holds for the portal of all sub-accounts: where it returns to, and what it looks like. */
import type { PortalTheme, SubAccountSettings } from '@posthorn/contracts/sub-accounts'
import type { Handlers } from '@posthorn/http/handlers'
import { changesOf, urlHintOf } from '@posthorn/store/audit/changes-of'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import { Prisma, type SubAccountSettings as SettingsRow } from '@posthorn/store/generated/client'
import type { Database } from '@posthorn/store/prisma'

export interface SubAccountSettingsDeps {
  database: Pick<Database, 'subAccountSettings' | '$transaction'>
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

type SettingsHandlers = Pick<
  Handlers<'portal-api'>,
  'getSubAccountSettings' | 'updateSubAccountSettings'
>

export function createSubAccountSettings({
  database,
  now,
}: SubAccountSettingsDeps): SettingsHandlers {
  return {
    async getSubAccountSettings({ caller: { tenantId } }) {
      return toSettings(await database.subAccountSettings.findUnique({ where: { tenantId } }))
    },

    async updateSubAccountSettings({ caller: { tenantId }, body, audit }) {
      const { defaultReturnUrl, theme } = body
      const change = {
        ...(defaultReturnUrl === undefined ? {} : { defaultReturnUrl }),
        ...(theme === undefined ? {} : { theme: theme === null ? Prisma.DbNull : toJson(theme) }),
        updatedAt: new Date(now()),
      }
      const where = { tenantId }
      return await database.$transaction(async (transaction) => {
        const before = toSettings(await transaction.subAccountSettings.findUnique({ where }))
        const row = await transaction.subAccountSettings.upsert({
          where,
          create: { tenantId, ...change },
          update: change,
        })
        const after = toSettings(row)
        const changes = changesOf(before, after, { defaultReturnUrl: urlHintOf })
        await recordAudit(transaction, audit, { resourceId: tenantId, changes })
        return after
      })
    },
  }
}

function toSettings(
  row: Pick<SettingsRow, 'defaultReturnUrl' | 'theme'> | null,
): SubAccountSettings {
  return {
    defaultReturnUrl: row?.defaultReturnUrl ?? null,
    theme: (row?.theme ?? null) as SubAccountSettings['theme'],
  }
}

/** A theme is replaced whole; what it leaves out is the portal's own. */
function toJson(theme: PortalTheme): Prisma.InputJsonObject {
  return {
    brandName: theme.brandName ?? null,
    logo: theme.logo ?? null,
    font: theme.font ?? 'inter',
    light: theme.light ?? null,
    dark: theme.dark ?? null,
  }
}
