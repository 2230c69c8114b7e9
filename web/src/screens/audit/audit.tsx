/** The two logs: who changed what, and who signed in. */
import { t } from '../../texts/t.ts'
import { PageHead } from '../../ui/parts.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Changes } from './changes.tsx'
import { SignIns } from './sign-ins.tsx'

export function Audit() {
  const [{ tab = 'changes' }] = useUrlState()
  return (
    <>
      <PageHead
        title={t('Audit log')}
        about={t('Who changed what and who signed in, newest first. Nobody can edit it.')}
      />
      <Tabs
        label={t('Parts of the audit log')}
        current={tab}
        tabs={[
          ['changes', t('Changes')],
          ['sign-ins', t('Sign-ins')],
        ]}
      />
      {tab === 'sign-ins' ? <SignIns /> : <Changes />}
    </>
  )
}
