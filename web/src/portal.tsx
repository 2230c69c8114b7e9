/**
 * The portal: what a customer of our customer sees of their webhooks, alone or inside another
 * product's page.
 */
import './styles.css'
import { createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { createQueries } from './api/queries.ts'
import { PortalShell } from './portal/portal-shell.tsx'
import { leaveWhenOver, openPortal } from './portal/portal-session.ts'
import { Closed } from './portal/closed.tsx'
import { applyTheme, talkToHost } from './portal/portal-theme.ts'
import { loadTexts } from './texts/t.ts'
import { startTheme } from './ui/theme.ts'
import { Toasts } from './ui/toast.tsx'
import { searchFormat } from './ui/url-state.ts'

startTheme('service-portal-theme')
const [opened] = await Promise.all([openPortal(), loadTexts()])
const root = createRoot(document.querySelector('#app') as Element)
if (opened.outcome === 'open') {
  const { session } = opened
  applyTheme(session.theme)
  document.title = session.theme?.brandName ?? 'Webhooks'
  const route = createRootRoute()
  const page = createRoute({
    getParentRoute: () => route,
    path: '/portal/$token',
    component: () => <PortalShell opened={session} />,
  })
  const router = createRouter({
    ...searchFormat,
    routeTree: route.addChildren([page]),
    scrollRestoration: false,
  })
  root.render(
    <QueryClientProvider client={createQueries({ onRefused: leaveWhenOver })}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>,
  )
} else {
  root.render(<Closed opened={opened} />)
}
talkToHost()
