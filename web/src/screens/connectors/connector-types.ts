/** What each type of connector is set to, as the fields of its form. Pure but for its words. */
import { Hash, type LucideIcon, Mail, MessageSquare, Users, Webhook } from 'lucide-react'
import type { Schemas } from '../../api/client.ts'
import { t } from '../../texts/t.ts'
import { headerLines, headersOf } from '../../ui/header-lines.ts'
import { listOf } from '../alerts/rule-body.ts'

export type ConnectorRow = Schemas['Connector']
export type ConnectorType = ConnectorRow['type']

export interface ConnectorField {
  name: string
  label: string
  kind: 'text' | 'number' | 'list' | 'headers'
  isRequired?: boolean
  placeholder?: string
  hint?: string
  isPassword?: boolean
}

interface ConnectorLook {
  label: string
  about: string
  icon: LucideIcon
}

export const CONNECTOR_TYPES: readonly ConnectorType[] = [
  'slack',
  'discord',
  'teams',
  'email',
  'webhook',
]

export function lookOf(type: ConnectorType): ConnectorLook {
  switch (type) {
    case 'slack':
      return { label: 'Slack', about: t('An incoming webhook of a channel'), icon: Hash }
    case 'discord':
      return { label: 'Discord', about: t('A webhook of a channel'), icon: MessageSquare }
    case 'teams':
      return { label: 'Microsoft Teams', about: t('A workflow’s webhook'), icon: Users }
    case 'email':
      return { label: t('E-mail'), about: t('By your own mail server'), icon: Mail }
    case 'webhook':
      return { label: t('Webhook'), about: t('Any URL, signed if you like'), icon: Webhook }
  }
}

export function fieldsOf(type: ConnectorType): ConnectorField[] {
  const url = (placeholder: string): ConnectorField => ({
    name: 'webhookUrl',
    label: t('Webhook URL'),
    kind: 'text',
    isRequired: true,
    placeholder,
  })
  const text = (name: string, label: string, placeholder: string): ConnectorField => ({
    name,
    label,
    kind: 'text',
    placeholder,
  })
  switch (type) {
    case 'slack':
      return [
        url('https://hooks.slack.com/services/…'),
        text('channel', t('Channel'), '#ops'),
        text('username', t('Shown as'), 'Posthorn'),
        text('iconEmoji', t('Emoji'), ':postal_horn:'),
      ]
    case 'discord':
      return [
        url('https://discord.com/api/webhooks/…'),
        text('username', t('Shown as'), 'Posthorn'),
      ]
    case 'teams':
      return [url('https://example.webhook.office.com/…')]
    case 'email':
      return [
        { ...text('smtpHost', t('Mail server'), 'smtp.example.com'), isRequired: true },
        { name: 'smtpPort', label: t('Port'), kind: 'number', placeholder: '587' },
        text('smtpUsername', t('User name'), 'apikey'),
        { ...text('smtpPassword', t('Password'), ''), isPassword: true },
        { ...text('fromEmail', t('From'), 'hooks@example.com'), isRequired: true },
        {
          name: 'to',
          label: t('To'),
          kind: 'list',
          isRequired: true,
          placeholder: 'ops@example.com',
          hint: t('Up to 20 addresses, separated by commas.'),
        },
      ]
    case 'webhook':
      return [
        {
          name: 'url',
          label: 'URL',
          kind: 'text',
          isRequired: true,
          placeholder: 'https://example.com/in',
        },
        {
          ...text('secret', t('Signing secret'), ''),
          isPassword: true,
          hint: t('16 characters or more; it signs as deliveries are signed.'),
        },
        {
          name: 'headers',
          label: t('Headers'),
          kind: 'headers',
          hint: t('One a line: Name: value'),
        },
      ]
  }
}

/** The value of a setting as its field shows it. */
export function shownValue({ kind }: ConnectorField, value: unknown): string {
  if (kind === 'headers') return headerLines(value)
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** @returns the settings of a type; what is empty is null, which takes a former value away */
export function configOf(
  fields: readonly ConnectorField[],
  given: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const entries = fields.map(({ name, kind }): [string, unknown] => {
    const text = given[name]?.trim() ?? ''
    if (kind === 'list') return [name, listOf(text)]
    if (kind === 'headers') return [name, headersOf(text)]
    if (text === '') return [name, null]
    return [name, kind === 'number' ? Number(text) : text]
  })
  return Object.fromEntries(entries)
}
