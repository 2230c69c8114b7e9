/** The operator's dashboard: where each path leads. Screens come when they are opened. */
import './styles.css'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  RouterProvider,
} from '@tanstack/react-router'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { api } from './api/client.ts'
import { createQueries } from './api/queries.ts'
import { askOfProject, keepProject, shownProject } from './project.ts'
import { SignedIn } from './session.tsx'
import { Shell } from './shell.tsx'
import { loadTexts } from './texts/t.ts'
import { NoSuchPage } from './ui/no-such-page.tsx'
import { startTheme } from './ui/theme.ts'
import { Toasts } from './ui/toast.tsx'
import { searchFormat } from './ui/url-state.ts'

const root = createRootRoute({ component: Outlet, notFoundComponent: NoSuchPage })
const auth = () => import('./screens/auth/auth-screens.tsx')
const outside = [
  ['/login', lazyRouteComponent(auth, 'Login')],
  ['/signup', lazyRouteComponent(auth, 'SignUp')],
  ['/verify', lazyRouteComponent(auth, 'Verify')],
  ['/reset', lazyRouteComponent(auth, 'Reset')],
  ['/invite', lazyRouteComponent(auth, 'Invite')],
  [
    '/receiver/$name',
    lazyRouteComponent(() => import('./screens/receiver/receiver.tsx'), 'Receiver'),
  ],
] as const
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => redirect({ to: '/dashboard' as string, throw: true }),
})
const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/dashboard',
  search: keepProject,
  component: () => (
    <SignedIn>
      <Shell />
    </SignedIn>
  ),
  notFoundComponent: NoSuchPage,
})

const endpoints = () => import('./screens/endpoints/endpoint-screens.tsx')
const alerts = () => import('./screens/alerts/alert-screens.tsx')
const connectors = () => import('./screens/connectors/connector-screens.tsx')
const inside = [
  ['/', lazyRouteComponent(() => import('./screens/home.tsx'), 'Home')],
  ['/events', lazyRouteComponent(() => import('./screens/events/events.tsx'), 'Events')],
  ['/events/$id', lazyRouteComponent(() => import('./screens/events/event.tsx'), 'Event')],
  ['/deliveries', lazyRouteComponent(() => import('./screens/deliveries.tsx'), 'Deliveries')],
  [
    '/analytics',
    lazyRouteComponent(() => import('./screens/analytics/analytics.tsx'), 'Analytics'),
  ],
  ['/alerts', lazyRouteComponent(alerts, 'Alerts')],
  ['/alerts/$id', lazyRouteComponent(alerts, 'AlertRule')],
  ['/connectors', lazyRouteComponent(connectors, 'Connectors')],
  ['/connectors/$name', lazyRouteComponent(connectors, 'Connector')],
  ['/audit', lazyRouteComponent(() => import('./screens/audit/audit.tsx'), 'Audit')],
  [
    '/compliance',
    lazyRouteComponent(() => import('./screens/compliance/compliance.tsx'), 'Compliance'),
  ],
  ['/endpoints', lazyRouteComponent(endpoints, 'Endpoints')],
  ['/endpoints/new', lazyRouteComponent(endpoints, 'NewEndpoint')],
  ['/endpoints/$id', lazyRouteComponent(endpoints, 'Endpoint')],
  ['/event-types', lazyRouteComponent(() => import('./screens/event-types.tsx'), 'EventTypes')],
  ['/sub-accounts', lazyRouteComponent(() => import('./screens/sub-accounts.tsx'), 'SubAccounts')],
  [
    '/sub-accounts/$id',
    lazyRouteComponent(() => import('./screens/sub-account.tsx'), 'SubAccount'),
  ],
  ['/inbound', lazyRouteComponent(() => import('./screens/inbound.tsx'), 'Inbound')],
  ['/keys', lazyRouteComponent(() => import('./screens/keys.tsx'), 'Keys')],
  ['/projects', lazyRouteComponent(() => import('./screens/projects.tsx'), 'Projects')],
  ['/billing', lazyRouteComponent(() => import('./screens/billing/billing.tsx'), 'Billing')],
  ['/sso', lazyRouteComponent(() => import('./screens/sso/sso.tsx'), 'Sso')],
  ['/team', lazyRouteComponent(() => import('./screens/team.tsx'), 'Team')],
  ['/settings', lazyRouteComponent(() => import('./screens/settings.tsx'), 'Settings')],
] as const

const router = createRouter({
  ...searchFormat,
  routeTree: root.addChildren([
    home,
    ...outside.map(([path, component]) =>
      createRoute({ getParentRoute: () => root, path: path as string, component }),
    ),
    dashboard.addChildren(
      inside.map(([path, component]) =>
        createRoute({ getParentRoute: () => dashboard, path: path as string, component }),
      ),
    ),
  ]),
  defaultNotFoundComponent: NoSuchPage,
  scrollRestoration: false,
})

api.use(askOfProject)
startTheme('posthorn-theme')
await loadTexts()
createRoot(document.querySelector('#app') as Element).render(
  <QueryClientProvider client={createQueries({ placeOf: shownProject })}>
    <RouterProvider router={router} />
    <Toasts />
  </QueryClientProvider>,
)
