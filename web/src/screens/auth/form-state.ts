/** Sending a form: what is being sent, and what went wrong. */
import { type FormEvent, useState } from 'react'

export interface FormState {
  error: unknown
  isBusy: boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  run: (work: () => Promise<unknown>) => Promise<void>
}

/** @param send takes the form's fields by name */
export function useForm(send: (fields: Record<string, string>) => Promise<unknown>): FormState {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  async function run(work: () => Promise<unknown>): Promise<void> {
    setBusy(true)
    setError(null)
    try {
      await work()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return {
    error,
    isBusy,
    run,
    onSubmit(event) {
      event.preventDefault()
      const fields = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>
      void run(() => send(fields))
    },
  }
}
