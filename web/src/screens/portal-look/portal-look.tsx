/** How the portal looks to all sub-accounts: its brand, its colours, and where it leads back to. */
import { THEME_COLORS, unreadablePairs } from '@posthorn/domain/portal-theme'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { type ChangeEvent, useMemo, useState } from 'react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { useOff } from '../../session.tsx'
import { t } from '../../texts/t.ts'
import { problemOf, Select, SelectField, TextField } from '../../ui/form.tsx'
import { Button, Card, ErrorNote, NoAnswer, Note } from '../../ui/parts.tsx'
import { toast } from '../../ui/toast.tsx'
import { useForm } from '../auth/form-state.ts'
import {
  type LookAppearance,
  colourNames,
  PLAIN_LOOK,
  plainPalette,
  type LookTheme,
} from './look.ts'
import { LookPreview } from './look-preview.tsx'

type Settings = Schemas['GetSubAccountSettingsAnswer']
type Change = (change: Partial<LookTheme>) => void

export function PortalLook() {
  const query = useQuery({
    queryKey: ['sub-account-settings'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/v1/sub-account-settings', { signal })),
  })
  return query.data === undefined ? <NoAnswer query={query} /> : <LookForm settings={query.data} />
}

function LookForm({ settings }: { settings: Settings }) {
  const client = useQueryClient()
  const off = useOff('sub-accounts:write')
  const [look, setLook] = useState<LookTheme>(settings.theme ?? PLAIN_LOOK)
  const [appearance, setAppearance] = useState<LookAppearance>('light')
  const change: Change = (changes) => setLook({ ...look, ...changes })
  const plain = useMemo(() => plainPalette(appearance), [appearance])
  const palette = look[appearance] ?? plain
  const unreadable = (['light', 'dark'] as const).flatMap((one) =>
    look[one] === null ? [] : unreadablePairs(look[one], one),
  )
  const form = useForm(async ({ returnUrl = '' }) => {
    const body = { defaultReturnUrl: returnUrl || null, theme: look }
    const saved = await answerOf(api.PATCH('/api/v1/sub-account-settings', { body }))
    client.setQueryData(['sub-account-settings'], saved)
    toast(t('Saved.'))
  })
  const problem = unreadable.length > 0 ? t('Some text could not be read.') : undefined
  return (
    <form className="halves" onSubmit={form.onSubmit}>
      <div className="stack">
        <Brand settings={settings} look={look} onChange={change} error={form.error} />
        <Colours look={look} appearance={appearance} palette={palette} onChange={change} />
        {form.error !== null && <ErrorNote error={form.error} />}
        <div>
          <Button
            type="submit"
            look="main"
            off={off ?? problem ?? (form.isBusy ? t('One moment …') : undefined)}
          >
            {t('Save')}
          </Button>
        </div>
      </div>
      <Card
        title={t('Preview')}
        actions={
          <Select
            aria-label={t('Appearance')}
            value={appearance}
            onChange={(event) => setAppearance(event.target.value as LookAppearance)}
            options={[
              ['light', t('Light')],
              ['dark', t('Dark')],
            ]}
          />
        }
      >
        <div className="card-body stack">
          <LookPreview look={look} palette={palette} appearance={appearance} />
          {unreadable.map(({ text, background, contrast }) => (
            <Note key={`${text}${background}`} icon={TriangleAlert} warning>
              {t('{text} on “{background}” has a contrast of {n}: 4.5 is the least.', {
                text: text === 'the text' ? t('Text') : `“${colourNames()[text]}”`,
                background: colourNames()[background],
                n: contrast.toFixed(2),
              })}
            </Note>
          ))}
        </div>
      </Card>
    </form>
  )
}

interface BrandProps {
  settings: Settings
  look: LookTheme
  onChange: Change
  error: unknown
}

function Brand({ settings, look, onChange, error }: BrandProps) {
  async function takeLogo({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [file] = target.files ?? []
    onChange({ logo: file === undefined ? null : await dataUrlOf(file) })
  }
  return (
    <Card title={t('Brand')}>
      <div className="card-body stack">
        <TextField
          label={t('Name')}
          maxLength={100}
          placeholder={t('Webhooks')}
          value={look.brandName ?? ''}
          onChange={(event) => onChange({ brandName: event.target.value || null })}
          problem={problemOf(error, 'theme.brandName')}
        />
        <TextField
          label={t('Logo')}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          hint={t('PNG, JPEG or WebP, 64 KiB at most; it is shown 28 pixels high.')}
          onChange={(event) => void takeLogo(event)}
          problem={problemOf(error, 'theme.logo')}
        />
        <SelectField
          label={t('Font')}
          value={look.font}
          onChange={(event) => onChange({ font: event.target.value as LookTheme['font'] })}
          options={[
            ['inter', 'Inter'],
            ['system', t('that of the system')],
            ['serif', t('with serifs')],
            ['monospace', 'JetBrains Mono'],
          ]}
        />
        <TextField
          label={t('Return URL')}
          name="returnUrl"
          type="url"
          defaultValue={settings.defaultReturnUrl ?? ''}
          placeholder="https://app.example.com/webhooks"
          hint={t('Where the portal leads back to when a link names no other.')}
          problem={problemOf(error, 'defaultReturnUrl')}
        />
      </div>
    </Card>
  )
}

interface ColoursProps {
  look: LookTheme
  appearance: LookAppearance
  palette: NonNullable<LookTheme['light']>
  onChange: Change
}

function Colours({ look, appearance, palette, onChange }: ColoursProps) {
  const names = colourNames()
  return (
    <Card
      title={appearance === 'light' ? t('Colours in light') : t('Colours in dark')}
      actions={
        look[appearance] !== null && (
          <Button size="small" onClick={() => onChange({ [appearance]: null })}>
            {t('As Posthorn has them')}
          </Button>
        )
      }
    >
      <div className="card-body checks">
        {THEME_COLORS.map((name) => (
          <label key={name} className="check">
            <input
              type="color"
              value={palette[name]}
              onChange={(event) =>
                onChange({ [appearance]: { ...palette, [name]: event.target.value } })
              }
            />
            {names[name]}
          </label>
        ))}
      </div>
    </Card>
  )
}

function dataUrlOf(file: File): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.addEventListener('loadend', () =>
    resolve(typeof reader.result === 'string' ? reader.result : ''),
  )
  reader.readAsDataURL(file)
  return promise
}
