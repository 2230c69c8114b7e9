/** Where the world reaches this installation, without a slash at its end. */
import type { Settings } from '@posthorn/runtime/config'

/** @param own where this process is reached, when nothing else is set */
export function publicUrlOf(settings: Settings, own?: string): string {
  const url = settings.PUBLIC_URL ?? own ?? `http://${settings.HOST}:${settings.PORT}`
  return url.replace(/\/+$/, '')
}
