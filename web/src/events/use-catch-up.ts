/**
 * An event and its explanation are two answers, and the second may know more. The event is then
 * asked for again at once, so that its state never lags behind what is said of it.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

export function useCatchUp(id: string, known: string | undefined, said: string | undefined): void {
  const client = useQueryClient()
  useEffect(() => {
    if (known === undefined || said === undefined || known === said) return
    void client.invalidateQueries({ queryKey: ['event', id], exact: true })
  }, [client, id, known, said])
}
