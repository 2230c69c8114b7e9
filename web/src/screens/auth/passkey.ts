/** Signing in with a passkey: the browser signs a challenge of ours. */
import { answerOf, api } from '../../api/client.ts'
import { t } from '../../texts/t.ts'

/** @returns always true: it throws when nobody was signed in */
export async function signInWithPasskey(as: 'login' | 'mfa'): Promise<boolean> {
  if (!('PublicKeyCredential' in globalThis)) throw new Error(t('This browser has no passkeys.'))
  const options = await answerOf(
    as === 'login'
      ? api.POST('/auth/passkeys/login/options')
      : api.POST('/auth/mfa/passkey/options'),
  )
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  )
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null)
  if (!(credential instanceof PublicKeyCredential)) {
    throw new Error(t('No passkey was used. Choose one, or sign in another way.'))
  }
  const body = { response: credential.toJSON() as never }
  if (as === 'login') await answerOf(api.POST('/auth/passkeys/login', { body }))
  else await answerOf(api.POST('/auth/mfa/passkey/verify', { body }))
  return true
}
