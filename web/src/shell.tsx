/** The frame of the dashboard: navigation, who is signed in, and keys that work everywhere. */
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import {
  BellRing,
  Boxes,
  Building2,
  ChartColumn,
  ChevronsUpDown,
  CreditCard,
  Inbox,
  KeyRound,
  LayoutDashboard,
  LogIn,
  type LucideIcon,
  Menu as MenuIcon,
  Plug,
  ScrollText,
  Send,
  Settings,
  ShieldCheck,
  Tags,
  Users,
  Waypoints,
  Webhook,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { ProjectSwitch } from './project-switch.tsx'
import { useSession, useSignOut } from './session.tsx'
import { chooseLanguage, chosenLanguage, t } from './texts/t.ts'
import { Mark } from './ui/mark.tsx'
import { Keys, type Place } from './ui/keys.tsx'
import { Button } from './ui/parts.tsx'
import { type Appearance, chooseAppearance, chosenAppearance } from './ui/theme.ts'
import { useUrlState } from './ui/url-state.ts'

interface NavPlace extends Place {
  icon: LucideIcon
}

function navigation(): { title: string; places: NavPlace[] }[] {
  return [
    {
      title: '',
      places: [
        { to: '/dashboard', label: t('Home'), icon: LayoutDashboard },
        { to: '/dashboard/events', label: t('Events'), icon: Send },
        { to: '/dashboard/deliveries', label: t('Deliveries'), icon: Waypoints },
        { to: '/dashboard/analytics', label: t('Analytics'), icon: ChartColumn },
        { to: '/dashboard/alerts', label: t('Alerts'), icon: BellRing },
      ],
    },
    {
      title: t('Set up'),
      places: [
        { to: '/dashboard/endpoints', label: t('Endpoints'), icon: Webhook },
        { to: '/dashboard/event-types', label: t('Event types'), icon: Tags },
        { to: '/dashboard/inbound', label: t('Inbound'), icon: Inbox },
        { to: '/dashboard/connectors', label: t('Connectors'), icon: Plug },
        { to: '/dashboard/sub-accounts', label: t('Sub-accounts'), icon: Building2 },
      ],
    },
    {
      title: t('Workspace'),
      places: [
        { to: '/dashboard/keys', label: t('API keys'), icon: KeyRound },
        { to: '/dashboard/team', label: t('Team'), icon: Users },
        { to: '/dashboard/projects', label: t('Projects'), icon: Boxes },
        { to: '/dashboard/sso', label: t('Single sign-on'), icon: LogIn },
        { to: '/dashboard/billing', label: t('Billing and usage'), icon: CreditCard },
        { to: '/dashboard/audit', label: t('Audit log'), icon: ScrollText },
        { to: '/dashboard/compliance', label: t('Data and privacy'), icon: ShieldCheck },
        { to: '/dashboard/settings', label: t('Settings'), icon: Settings },
      ],
    },
  ]
}

export function Shell() {
  const [isShown, setShown] = useState(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [{ project }] = useUrlState()
  const groups = navigation()
  const places = groups.flatMap((group) => group.places)
  useEffect(() => {
    setShown(false)
    const here = places.findLast(({ to }) => path === to || path.startsWith(`${to}/`))
    document.title = `${here?.label ?? t('Dashboard')} · Posthorn`
    // The names of places only change with a new load of the page.
  }, [path])
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {t('Skip to the content')}
      </a>
      <header className="top">
        <Button
          look="plain"
          size="icon"
          aria-label={t('Navigation')}
          aria-expanded={isShown}
          onClick={() => setShown(!isShown)}
        >
          <MenuIcon size={18} aria-hidden />
        </Button>
        <Brand />
      </header>
      <aside
        aria-label={t('Sidebar')}
        className={isShown ? 'side shown' : 'side'}
        onKeyDown={(event) => event.key === 'Escape' && setShown(false)}
      >
        <Brand />
        <div className="side-head">
          <ProjectSwitch />
        </div>
        <nav className="nav" aria-label={t('Main')}>
          {groups.map((group) => (
            <NavGroup key={group.title} {...group} />
          ))}
        </nav>
        <div className="side-foot">
          <Account />
        </div>
      </aside>
      <main className="page" id="content" tabIndex={-1}>
        <Outlet key={project} />
      </main>
      <Keys places={[...places, { to: '/dashboard/endpoints/new', label: t('New endpoint') }]} />
    </div>
  )
}

function NavGroup({ title, places }: { title: string; places: readonly NavPlace[] }) {
  return (
    <>
      {title !== '' && <div className="nav-group">{title}</div>}
      {places.map(({ to, label, icon: Icon }) => (
        <Link key={to} to={to} activeOptions={{ exact: to === '/dashboard', includeSearch: false }}>
          <Icon size={16} aria-hidden />
          {label}
        </Link>
      ))}
    </>
  )
}

function Brand() {
  return (
    <Link to={'/dashboard' as string} className="brand">
      <Mark /> Posthorn
    </Link>
  )
}

function Account() {
  const { user, client } = useSession()
  const signOut = useSignOut()
  const [appearance, setAppearance] = useState<Appearance>(chosenAppearance)
  const name = user?.name ?? user?.email ?? t('An API key')
  const next = { system: 'light', light: 'dark', dark: 'system' } as const
  const labels = {
    system: t('Theme: as the system'),
    light: t('Theme: light'),
    dark: t('Theme: dark'),
  }
  return (
    <MenuTrigger>
      <AriaButton className="account">
        <span className="avatar" aria-hidden>
          {name.slice(0, 1).toUpperCase()}
        </span>
        <span className="grow">
          <span className="cut strong" style={{ display: 'block' }}>
            {client.name}
          </span>
          <span className="cut small muted" style={{ display: 'block' }}>
            {name}
          </span>
        </span>
        <ChevronsUpDown size={14} aria-hidden />
      </AriaButton>
      <Popover placement="top start">
        <Menu className="menu" aria-label={t('Account')}>
          <MenuItem
            className="menu-item"
            onAction={() => {
              chooseAppearance(next[appearance])
              setAppearance(next[appearance])
            }}
          >
            {labels[appearance]}
          </MenuItem>
          <MenuItem
            className="menu-item"
            onAction={() => chooseLanguage(chosenLanguage() === 'de' ? 'en' : 'de')}
          >
            {chosenLanguage() === 'de' ? 'In English' : 'Auf Deutsch'}
          </MenuItem>
          <MenuItem className="menu-item" href="/docs">
            {t('API reference')}
          </MenuItem>
          <MenuItem className="menu-item" onAction={() => void signOut()}>
            {t('Sign out')}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
