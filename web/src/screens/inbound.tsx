/** Webhooks of other platforms that come in here: their URLs, and why the last was refused. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Inbox, Plus } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../api/client.ts'
import { usePages } from '../api/queries.ts'
import { useOff } from '../session.tsx'
import { t } from '../texts/t.ts'
import { DeleteButton } from '../ui/delete-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { problemOf, TextField } from '../ui/form.tsx'
import {
  Button,
  Card,
  Code,
  CopyButton,
  Empty,
  ErrorNote,
  PageHead,
  Skeleton,
} from '../ui/parts.tsx'
import { count, Time } from '../ui/time.tsx'
import { useForm } from './auth/form-state.ts'

type Row = Schemas['InboundEndpoint']
type Preset = Schemas['InboundPreset']
const LIVE_MS = 3_000

export function Inbound() {
  const [isMaking, setMaking] = useState(false)
  const off = useOff('inbound:write')
  const list = usePages<Row>(
    ['inbound'],
    (cursor, signal) =>
      answerOf(
        api.GET('/api/v1/inbound-endpoints', {
          params: { query: { limit: 100, ...(cursor && { cursor }) } },
          signal,
        }),
      ),
    LIVE_MS,
  )
  return (
    <>
      <PageHead
        title={t('Inbound')}
        about={t('Webhooks of other platforms, verified here and passed on as events.')}
        actions={
          <Button look="main" off={off} onClick={() => setMaking(true)}>
            <Plus size={14} aria-hidden /> {t('New inbound URL')}
          </Button>
        }
      />
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton lines={5} />}
      {list.data && list.rows.length === 0 && (
        <div className="card">
          <Empty icon={Inbox} title={t('No inbound URLs yet')}>
            {t('Choose a platform, and paste the URL that you get into its settings of webhooks.')}
          </Empty>
        </div>
      )}
      <div className="stack">
        {list.rows.map((row) => (
          <Source key={row.id} row={row} off={off} />
        ))}
      </div>
      {isMaking && <NewInbound onClose={() => setMaking(false)} />}
    </>
  )
}

function Source({ row, off }: { row: Row; off: string | undefined }) {
  const client = useQueryClient()
  const { id, name, source, url, receivedCount, rejectedCount, lastReceivedAt, lastRejection } = row
  return (
    <Card
      title={name}
      actions={
        <span className="row">
          <span className="pill">{source}</span>
          <DeleteButton
            size="small"
            name={name}
            off={off}
            onDelete={async () => {
              const params = { path: { id } }
              await answerOf(api.DELETE('/api/v1/inbound-endpoints/{id}', { params }))
              await client.invalidateQueries({ queryKey: ['inbound'] })
            }}
          >
            {t('What the platform still sends to its URL is refused.')}
          </DeleteButton>
        </span>
      }
    >
      <div className="card-body stack tight">
        <div className="row tight">
          <code className="wrap grow">{url}</code>
          <CopyButton text={url} label={t('Copy the URL')} />
        </div>
        <p className="muted">
          {lastReceivedAt === null ? (
            t('Waiting for the first request.')
          ) : (
            <>
              {t('{n} received', { n: count(receivedCount) })}, {t('last')}{' '}
              <Time at={lastReceivedAt} relative />
            </>
          )}
          {rejectedCount > 0 && (
            <>
              {' '}
              · <span className="dead strong">{t('{n} refused', { n: count(rejectedCount) })}</span>
            </>
          )}
        </p>
        {lastRejection && (
          <p>
            <span className="strong">{t('Last refusal:')}</span> {lastRejection.reason}{' '}
            <span className="muted">
              (<Time at={lastRejection.at} relative />)
            </span>
          </p>
        )}
      </div>
    </Card>
  )
}

function usePresets(): Preset[] {
  const presets = useQuery({
    queryKey: ['presets'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/v1/inbound-presets', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return presets.data?.data ?? []
}

const PRESETS_SHOWN = 8

function NewInbound({ onClose }: { onClose: () => void }) {
  const [wanted, setWanted] = useState('')
  const [preset, setPreset] = useState<Preset | null>(null)
  const presets = usePresets()
  const found = presets.filter(({ name, source }) =>
    `${name} ${source}`.toLowerCase().includes(wanted.toLowerCase()),
  )
  if (preset !== null) return <PresetForm preset={preset} onClose={onClose} />
  return (
    <Dialog title={t('Which platform?')} onClose={onClose}>
      <TextField
        label={t('Platform')}
        type="search"
        autoFocus
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
        hint={t('{n} platforms; generic takes any HMAC.', { n: presets.length })}
      />
      <ul className="list">
        {found.slice(0, PRESETS_SHOWN).map((one) => (
          <li key={one.source}>
            <span className="grow">
              <span className="strong">{one.name}</span>
              <span className="small muted wrap" style={{ display: 'block' }}>
                {one.description}
              </span>
            </span>
            <Button size="small" onClick={() => setPreset(one)}>
              {t('Choose')}
            </Button>
          </li>
        ))}
        {presets.length > 0 && found.length === 0 && (
          <li className="muted">{t('None matches: choose generic.')}</li>
        )}
      </ul>
    </Dialog>
  )
}

function PresetForm({ preset, onClose }: { preset: Preset; onClose: () => void }) {
  const client = useQueryClient()
  const [made, setMade] = useState<Row | null>(null)
  const form = useForm(async ({ name = '', ...config }) => {
    const given = Object.entries(config).filter(([, value]) => value !== '')
    const body = { name, source: preset.source, sourceConfig: Object.fromEntries(given) }
    setMade(await answerOf(api.POST('/api/v1/inbound-endpoints', { body })))
    await client.invalidateQueries({ queryKey: ['inbound'] })
  })
  if (made !== null) {
    return (
      <Dialog title={t('Paste this into {name}', { name: preset.name })} onClose={onClose}>
        <Code text={made.url} label={t('The inbound URL')} />
        <p>
          <a href={preset.docs} rel="noreferrer" target="_blank">
            {t('Where that is in {name}', { name: preset.name })}
          </a>
        </p>
        <div className="modal-foot">
          <Button look="main" onClick={onClose}>
            {t('Done')}
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={preset.name} onClose={onClose}>
      <form className="stack" onSubmit={form.onSubmit}>
        <TextField
          label={t('Name')}
          name="name"
          required
          autoFocus
          defaultValue={preset.name}
          problem={problemOf(form.error, 'name')}
        />
        {preset.configKeys.map((key) => (
          <TextField
            key={key}
            label={key}
            name={key}
            className="mono"
            autoComplete="off"
            problem={problemOf(form.error, `sourceConfig.${key}`)}
          />
        ))}
        {form.error !== null && <ErrorNote error={form.error} />}
        <div className="modal-foot">
          <Button type="submit" look="main" off={form.isBusy ? t('One moment …') : undefined}>
            {t('Make the URL')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
