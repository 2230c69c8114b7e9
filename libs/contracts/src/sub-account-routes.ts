/** The routes of sub-accounts and of what their portal looks like. */
import { may } from './access.ts'
import { API, entry } from './route.ts'
import * as subAccounts from './sub-accounts.ts'

const READ = may('sub-accounts:read', { feature: 'sub_accounts' })
const WRITE = may('sub-accounts:write', { feature: 'sub_accounts' })
/** A logo of 64 KiB in base64, and the rest. */
const MAX_SETTINGS_BYTES = 128 * 1024

export const subAccountRoutes = {
  createSubAccount: entry({
    method: 'POST',
    path: `${API}/sub-accounts`,
    service: 'portal-api',
    access: WRITE,
    audit: 'sub_account.create',
    summary: 'Create a sub-account',
    status: 201,
    body: subAccounts.CreateSubAccount,
    answer: subAccounts.SubAccount,
    errors: ['CONFLICT', 'INVALID_STATE'],
    maxBodyBytes: 64 * 1024,
    example: { externalId: 'customer-42', name: 'Ada & Co', metadata: { tier: 'gold' } },
  }),
  listSubAccounts: entry({
    method: 'GET',
    path: `${API}/sub-accounts`,
    service: 'portal-api',
    access: READ,
    summary: 'List sub-accounts, newest first',
    status: 200,
    query: subAccounts.SubAccountListQuery,
    answer: subAccounts.SubAccountPage,
  }),
  getSubAccount: entry({
    method: 'GET',
    path: `${API}/sub-accounts/:id`,
    service: 'portal-api',
    access: READ,
    summary: 'Read a sub-account',
    status: 200,
    answer: subAccounts.SubAccount,
  }),
  updateSubAccount: entry({
    method: 'PATCH',
    path: `${API}/sub-accounts/:id`,
    service: 'portal-api',
    access: WRITE,
    audit: 'sub_account.update',
    summary: 'Change a sub-account; the status active brings a deactivated one back',
    status: 200,
    body: subAccounts.UpdateSubAccount,
    answer: subAccounts.SubAccount,
    maxBodyBytes: 64 * 1024,
    example: { name: 'Ada, Byron & Co' },
  }),
  deactivateSubAccount: entry({
    method: 'DELETE',
    path: `${API}/sub-accounts/:id`,
    service: 'portal-api',
    access: WRITE,
    audit: 'sub_account.deactivate',
    summary: 'Deactivate a sub-account: it takes no new events, and its history stays',
    status: 204,
  }),
  getSubAccountSettings: entry({
    method: 'GET',
    path: `${API}/sub-account-settings`,
    service: 'portal-api',
    access: READ,
    summary: 'Read what holds for the portal of all sub-accounts',
    status: 200,
    answer: subAccounts.SubAccountSettings,
  }),
  updateSubAccountSettings: entry({
    method: 'PATCH',
    path: `${API}/sub-account-settings`,
    service: 'portal-api',
    access: WRITE,
    audit: 'sub_account_settings.update',
    summary: 'Change what holds for the portal of all sub-accounts',
    status: 200,
    body: subAccounts.UpdateSubAccountSettings,
    answer: subAccounts.SubAccountSettings,
    maxBodyBytes: MAX_SETTINGS_BYTES,
    example: { defaultReturnUrl: 'https://app.example.com/webhooks', theme: { brandName: 'Acme' } },
  }),
}
