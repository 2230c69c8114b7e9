/** The parts of a screen; which one is open stands in its URL. */
import { Link } from '@tanstack/react-router'

interface TabsProps {
  label: string
  current: string
  tabs: readonly (readonly [name: string, label: string])[]
}

export function Tabs({ label, current, tabs }: TabsProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(([name, text]) => (
        <Link
          key={name}
          to={'.' as string}
          search={{ tab: name } as never}
          aria-current={name === current ? 'page' : undefined}
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}
