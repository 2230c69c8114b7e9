/** The parts of a screen; which one is open stands in its URL. */
import { Link } from '@tanstack/react-router'

interface TabsProps {
  label: string
  current: string
  tabs: readonly (readonly [name: string, label: string, ...unknown[]])[]
  /** What the URL then says. */
  searchOf?: (name: string) => Record<string, string>
}

export function Tabs({ label, current, tabs, searchOf = (tab) => ({ tab }) }: TabsProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(([name, text]) => (
        <Link
          key={name}
          to={'.' as string}
          search={searchOf(name) as never}
          aria-current={name === current ? 'page' : undefined}
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}
