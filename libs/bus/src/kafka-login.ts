/**
 * How this process shows Kafka who it is, and how it knows that it talks to Kafka: TLS and SASL, as
 * the settings ask for them.
 */
import type { KafkaConfig as KafkajsConfig } from 'kafkajs'
import { createOauthTokens, type OauthClient } from './oauth-tokens.ts'

export const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'] as const
export type SaslMechanism = (typeof SASL_MECHANISMS)[number]

export interface KafkaLogin {
  isTls: boolean
  /** The authority that signed the brokers' certificates, as PEM; default: the public ones. */
  ca?: string
  sasl?: KafkaSasl
}

export type KafkaSasl =
  | { mechanism: Exclude<SaslMechanism, 'oauthbearer'>; username: string; password: string }
  | { mechanism: 'oauthbearer'; client: OauthClient }

/** Made once for a process, so that all its connections share a token. */
export function kafkajsLogin(login: KafkaLogin | undefined): Pick<KafkajsConfig, 'ssl' | 'sasl'> {
  if (login === undefined) return {}
  const { isTls, ca, sasl } = login
  return {
    ...(isTls && { ssl: ca === undefined ? {} : { ca } }),
    ...(sasl !== undefined && { sasl: kafkajsSasl(sasl) }),
  }
}

function kafkajsSasl(sasl: KafkaSasl): NonNullable<KafkajsConfig['sasl']> {
  if (sasl.mechanism === 'oauthbearer') {
    const tokens = createOauthTokens(sasl.client, () => performance.now())
    return { mechanism: 'oauthbearer', oauthBearerProvider: tokens }
  }
  const { mechanism, username, password } = sasl
  // kafkajs's types tell the mechanisms apart one by one.
  if (mechanism === 'plain') return { mechanism, username, password }
  if (mechanism === 'scram-sha-256') return { mechanism, username, password }
  return { mechanism, username, password }
}
