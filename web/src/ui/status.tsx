/** A state as an icon, a word and a colour: none of them has to be told from another by one alone. */
import {
  Ban,
  BellOff,
  BellRing,
  CircleCheck,
  CircleDashed,
  CircleOff,
  CircleX,
  Clock,
  Loader,
  type LucideIcon,
  Mail,
  Pause,
  RotateCw,
  Skull,
  ZapOff,
} from 'lucide-react'
import { t } from '../texts/t.ts'

const LOOKS: Readonly<Record<string, [LucideIcon, () => string]>> = {
  queued: [Clock, () => t('queued')],
  delivering: [Loader, () => t('delivering')],
  delivered: [CircleCheck, () => t('delivered')],
  failed: [RotateCw, () => t('retry due')],
  dead: [Skull, () => t('dead')],
  active: [CircleCheck, () => t('active')],
  paused: [Pause, () => t('paused')],
  disabled: [Ban, () => t('disabled')],
  open: [ZapOff, () => t('circuit open')],
  half_open: [CircleDashed, () => t('circuit half-open')],
  invited: [Mail, () => t('invited')],
  deactivated: [CircleOff, () => t('deactivated')],
  firing: [BellRing, () => t('firing')],
  resolved: [CircleCheck, () => t('over')],
  ok: [CircleCheck, () => t('quiet')],
  muted: [BellOff, () => t('muted')],
  pending: [Clock, () => t('on its way')],
  sent: [CircleCheck, () => t('arrived')],
  lost: [CircleX, () => t('not arrived')],
  failed_job: [CircleX, () => t('failed')],
  running: [Loader, () => t('running')],
  completed: [CircleCheck, () => t('completed')],
}

export function Status({ of }: { of: string }) {
  const [Icon, word] = LOOKS[of] ?? [CircleDashed, () => of]
  return (
    <span className={`badge ${of}`}>
      <Icon size={14} aria-hidden /> {word()}
    </span>
  )
}

/** The answer of an attempt: its code, or that none came. */
export function ResponseCode({ code }: { code: number | null }) {
  if (code === null) return <span className="muted">–</span>
  if (code === 0) return <span className="badge dead">{t('no answer')}</span>
  const kind = code < 300 ? 'delivered' : code < 500 ? 'failed' : 'dead'
  return <span className={`badge mono ${kind}`}>{code}</span>
}
