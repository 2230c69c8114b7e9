/** The page of a path that leads nowhere. */
import { SearchX } from 'lucide-react'
import { t } from '../texts/t.ts'
import { Empty } from './parts.tsx'

export function NoSuchPage() {
  return (
    <div className="page">
      <Empty
        icon={SearchX}
        title={t('There is no such page')}
        action={<a href="/dashboard">{t('To the dashboard')}</a>}
      >
        {t('The address may be mistyped, or what was here is gone.')}
      </Empty>
    </div>
  )
}
