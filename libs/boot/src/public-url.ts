/** The URL at which this installation is reached from outside, without a slash at its end. */
import type { Settings } from '@posthorn/runtime/config'

/** @param own the URL of this process, for when no other is set */
export function publicUrlOf(settings: Settings, own?: string): string {
  const url = settings.PUBLIC_URL ?? own ?? `http://${settings.HOST}:${settings.PORT}`
  return url.replace(/\/+$/, '')
}
