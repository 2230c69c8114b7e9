/** Whoever did something, as versions and sign-ins name them: an address, or a key by its id. */
import { KeyRound } from 'lucide-react'
import { t } from '../texts/t.ts'

/** The end of a key's id, which tells it from others; all of it stands in the title. */
const KEY = /^api-key:\S*(\S{4})$/

export function Doer({ name }: { name: string }) {
  const end = KEY.exec(name)?.[1]
  if (end === undefined) return <span className="wrap">{name}</span>
  return (
    <span className="badge" title={name}>
      <KeyRound size={14} aria-hidden /> {t('key …{end}', { end })}
    </span>
  )
}
