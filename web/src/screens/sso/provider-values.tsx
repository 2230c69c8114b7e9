/** What the identity provider has to be told, each with a button that copies it. */
import { t } from '../../texts/t.ts'
import { CopyButton } from '../../ui/parts.tsx'
import type { Connection } from './read-connections.ts'

export function ProviderValues({
  connection: { oidc, saml, loginUrl },
}: {
  connection: Connection
}) {
  const values: [string, string][] = [
    ...(oidc ? ([[t('Redirect URI'), oidc.callbackUrl]] as [string, string][]) : []),
    ...(saml
      ? ([
          [t('Entity ID (audience)'), saml.spEntityId],
          [t('ACS URL (reply URL)'), saml.acsUrl],
          [t('Metadata'), saml.metadataUrl],
        ] as [string, string][])
      : []),
    [t('Sign-in URL'), loginUrl],
  ]
  return (
    <dl className="facts">
      {values.map(([label, value]) => [
        <dt key={label}>{label}</dt>,
        <dd key={`${label}:`} className="row">
          <code className="wrap grow">{value}</code>
          <CopyButton text={value} label={`${t('Copy')}: ${label}`} />
        </dd>,
      ])}
    </dl>
  )
}
