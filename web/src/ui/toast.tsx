/** Says what an action did, to eyes and to screen readers, for some seconds. */
import { CircleCheck } from 'lucide-react'
import { useSyncExternalStore } from 'react'

interface Toast {
  id: number
  text: string
}

const SHOWN_MS = 6_000
let toasts: readonly Toast[] = []
let last = 0
const listeners = new Set<() => void>()

export function toast(text: string): void {
  last += 1
  const id = last
  set([...toasts, { id, text }])
  setTimeout(() => set(toasts.filter((one) => one.id !== id)), SHOWN_MS)
}

function set(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => toasts,
  )
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text }) => (
        <div key={id} className="toast">
          <CircleCheck size={16} aria-hidden /> {text}
        </div>
      ))}
    </div>
  )
}
