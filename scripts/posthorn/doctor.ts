/** What `posthorn doctor --stores` prints. */
import type { Diagnosis } from '@posthorn/boot/diagnose-stores'

const MARKS = { ok: 'ok     ', warning: 'warning', wrong: 'WRONG  ' }

export function diagnosisText(diagnosis: Diagnosis): string {
  const lines = Object.entries(diagnosis).flatMap(([store, findings]) =>
    findings.map(({ level, text }) => `${store.padEnd(8)}  ${MARKS[level]}  ${text}\n`),
  )
  return lines.join('')
}
