/** What is kept for how long, people's data, and the whole workspace. */
import { t } from '../../texts/t.ts'
import { PageHead } from '../../ui/parts.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Retention } from './retention.tsx'
import { SubjectJobs } from './subject-jobs.tsx'
import { WholeWorkspace } from './whole-workspace.tsx'

export function Compliance() {
  const [{ tab = 'retention' }] = useUrlState()
  return (
    <>
      <PageHead
        title={t('Data and privacy')}
        about={t('For how long what is kept, and what a person or a workspace can ask for.')}
      />
      <Tabs
        label={t('Parts of data and privacy')}
        current={tab}
        tabs={[
          ['retention', t('Retention')],
          ['people', t('People’s data')],
          ['workspace', t('The workspace')],
        ]}
      />
      {tab === 'retention' && <Retention />}
      {tab === 'people' && <SubjectJobs />}
      {tab === 'workspace' && <WholeWorkspace />}
    </>
  )
}
