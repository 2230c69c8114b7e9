/** A link whose search stands in its path. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

export function PlainLink({
  to,
  isDone = false,
  children,
}: {
  to: string
  isDone?: boolean
  children: ReactNode
}) {
  const [path, search = ''] = to.split('?')
  return (
    <Link
      to={path}
      search={Object.fromEntries(new URLSearchParams(search)) as never}
      {...(isDone && { className: 'muted' })}
    >
      {children}
    </Link>
  )
}
