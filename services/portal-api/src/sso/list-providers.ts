/** Lists the providers that the operator has set up, as the login page shows them. */
import type { Handlers } from '@posthorn/http/handlers'
import type { SsoConfig } from './sso-deps.ts'

export function createListProviders({
  publicUrl,
  providers,
}: Pick<SsoConfig, 'publicUrl' | 'providers'>): Handlers<'portal-api'>['listSsoProviders'] {
  const listed = providers.map(({ id, name }) => {
    const loginUrl = `${publicUrl}/auth/sso/${id}/login`
    return { id, name, loginUrl }
  })
  return async () => ({ providers: listed })
}
