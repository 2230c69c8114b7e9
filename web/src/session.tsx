/** Who is signed in, and what they may do: asked once, and by every screen for its actions. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import { answerOf, api, isFailure, type Schemas } from './api/client.ts'
import { ErrorNote, Skeleton } from './ui/parts.tsx'
import { t } from './texts/t.ts'

export type Session = Schemas['Session']

const SessionContext = createContext<Session | null>(null)

/** Shows what is inside to whoever is signed in, and the sign-in page to everybody else. */
export function SignedIn({ children }: { children: ReactNode }) {
  const query = useQuery({
    queryKey: ['session'],
    queryFn: ({ signal }) => answerOf(api.GET('/auth/session', { signal })),
    retry: false,
  })
  if (query.isPending) {
    return (
      <main className="page">
        <Skeleton />
      </main>
    )
  }
  if (query.data === undefined) {
    if (isFailure(query.error) && query.error.status === 401) {
      goToSignIn()
      return null
    }
    return (
      <main className="page">
        <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
      </main>
    )
  }
  return <SessionContext value={query.data}>{children}</SessionContext>
}

export function goToSignIn(): void {
  const { pathname, search } = location
  const back = new URLSearchParams({ return: pathname + search })
  location.assign(`/login?${back.toString()}`)
}

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('this part of a page is only for people who are signed in')
  return session
}

/** @returns why the reader can't do what needs the scope; undefined: they can */
export function useOff(scope: string): string | undefined {
  const { scopes, role } = useSession()
  if (scopes.includes('*') || scopes.includes(scope)) return undefined
  if (role === null) return t('Your API key lacks the scope {scope}.', { scope })
  return t('Your role, {role}, only reads this. An admin can change it.', { role })
}

export function useSignOut(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await api.DELETE('/auth/session')
    client.clear()
    location.assign('/login')
  }
}
