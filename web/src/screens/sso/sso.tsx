/** How the people of a company come in: its domains, its identity providers, and provisioning. */
import { t } from '../../texts/t.ts'
import { PageHead } from '../../ui/parts.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Connections } from './connections.tsx'
import { Domains } from './domains.tsx'
import { Provisioning } from './provisioning.tsx'

export function Sso() {
  const [{ tab = 'sign-on' }] = useUrlState()
  const tabs = [
    ['sign-on', t('Sign-in')],
    ['provisioning', t('Provisioning')],
  ] as const
  return (
    <>
      <PageHead
        title={t('Single sign-on')}
        about={t('Your company’s own identity provider decides who comes in.')}
      />
      <Tabs label={t('Parts of single sign-on')} current={tab} tabs={tabs} />
      {tab === 'provisioning' ? (
        <Provisioning />
      ) : (
        <div className="stack">
          <Domains />
          <Connections />
        </div>
      )}
    </>
  )
}
