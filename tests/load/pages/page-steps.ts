/**
 * What people do on the pages that list events and what became of them: each page as it is opened,
 * and each of its usual filters.
 */
import type { Page } from './measure-steps.ts'
import { EVENT_TYPES, type PageStage } from './page-stage.ts'

export interface PageStep {
  page: string
  what: string
  who: 'member' | 'customer'
  path: string
  /**
   * Missing: opening the page is measured. `prepare` is done before the time begins, `act` is what
   * it begins with, and `asks` names a part of the address that only the request of the filter has.
   */
  filter?: { prepare?: PageAction; act: PageAction; asks: string }
  /** The element that is there once the first rows, or that there are none, can be read. */
  ready: string
  /** Whether rows are expected, or the words for an empty list. */
  isEmpty?: boolean
}

type PageAction = (page: Page) => Promise<unknown>

/** While the rows of an earlier filter still stand there, the list says that it is busy. */
const ROW = '.grid:not([aria-busy="true"]) .grid-body > .grid-row'
const NONE = '.card > .empty'
const CHART = '.charts .chart canvas'
const ATTEMPT = '.timeline > li'

export function stepsOf(stage: PageStage): PageStep[] {
  return [...eventSteps(stage), ...otherSteps(stage), ...customerSteps(stage)]
}

function eventSteps({ endpointId, eventId, destination }: PageStage): PageStep[] {
  const of = { page: 'events', who: 'member', path: '/dashboard/events', ready: ROW } as const
  const [type = ''] = EVENT_TYPES
  const byType = `${of.path}?eventType=${type}`
  const byEndpoint = `${of.path}?endpointId=${endpointId}`
  return [
    { ...of, what: 'opened' },
    { ...of, what: 'status: dead', filter: choose('Status', 'dead', 'status=dead') },
    {
      ...of,
      what: 'status: retry due, of which there are none',
      filter: choose('Status', 'failed', 'status=failed'),
      ready: NONE,
      isEmpty: true,
    },
    { ...of, what: 'type', filter: search(type, `eventType=${type}`) },
    {
      ...of,
      what: 'a type that there is not',
      filter: search('no.such', 'eventType=no.such'),
      ready: NONE,
      isEmpty: true,
    },
    { ...of, what: 'destination', filter: search(destination, 'destination=') },
    { ...of, what: 'id', filter: search(eventId, `/events/${eventId}/deliveries`), ready: ATTEMPT },
    { ...of, what: 'endpoint', filter: choose('Endpoint', endpointId, `endpointId=${endpointId}`) },
    { ...of, what: 'last hour', filter: choose('Time', '1h', 'from=') },
    { ...of, what: 'last 7 days', filter: choose('Time', '7d', 'from=') },
    {
      ...of,
      what: 'type, then dead',
      path: byType,
      filter: choose('Status', 'dead', 'status=dead'),
      // Each of the dead events was sent to a destination, and none by its type: all are looked at.
      ready: NONE,
      isEmpty: true,
    },
    {
      ...of,
      what: 'endpoint, then dead',
      path: byEndpoint,
      filter: choose('Status', 'dead', 'status=dead'),
      ready: NONE,
      isEmpty: true,
    },
    { ...of, page: 'event', what: 'opened', path: `${of.path}/${eventId}`, ready: ATTEMPT },
  ]
}

function otherSteps({ endpointId, personId }: PageStage): PageStep[] {
  const who = 'member'
  const deliveries = { page: 'deliveries', who, path: '/dashboard/deliveries', ready: ROW } as const
  const one = { page: 'endpoint', who, path: `/dashboard/endpoints/${endpointId}` } as const
  const audit = { page: 'audit', who, path: '/dashboard/audit', ready: ROW } as const
  const charts = { page: 'analytics', who, path: '/dashboard/analytics', ready: CHART } as const
  const [type = ''] = EVENT_TYPES
  return [
    { page: 'home', what: 'opened', who, path: '/dashboard', ready: '.chart canvas' },
    { ...deliveries, what: 'opened' },
    { ...deliveries, what: 'failures', filter: choose('Outcome', 'failure', 'outcome=failure') },
    { ...deliveries, what: 'endpoint', filter: choose('Endpoint', endpointId, 'endpoint_id=') },
    { ...deliveries, what: 'type', filter: search(type, 'event_type=') },
    { ...deliveries, what: 'last hour', filter: choose('Time', '1h', 'range=1h') },
    { ...deliveries, what: 'last 30 days', filter: choose('Time', '30d', 'range=30d') },
    {
      ...deliveries,
      what: 'last 30 days, then failures',
      path: `${deliveries.path}?range=30d`,
      filter: choose('Outcome', 'failure', 'outcome=failure'),
    },
    { ...one, what: 'opened', ready: ROW },
    { ...one, what: 'charts', path: `${one.path}?tab=charts`, ready: CHART },
    { page: 'endpoints', what: 'opened', who, path: '/dashboard/endpoints', ready: ROW },
    { ...audit, what: 'opened' },
    { ...audit, what: 'resource', filter: choose('What was changed', 'team', 'resource=team') },
    { ...audit, what: 'person', filter: search(personId, 'actor=') },
    { ...charts, what: 'opened' },
    { ...charts, what: '7 days', path: `${charts.path}?range=7d` },
    { ...charts, what: 'of an endpoint', path: `${charts.path}?endpointId=${endpointId}` },
  ]
}

function customerSteps({ customerEndpointId }: PageStage): PageStep[] {
  const who = 'customer'
  const events = { page: 'portal: events', who, path: '?view=events', ready: ROW } as const
  const one = { page: 'portal: endpoint', who } as const
  const endpoint = `?view=endpoints&id=${customerEndpointId}`
  const [type = ''] = EVENT_TYPES
  return [
    { ...events, what: 'opened' },
    { ...events, what: 'status: dead', filter: choose('Status', 'dead', 'status=dead') },
    { ...events, what: 'type', filter: search(type, `eventType=${type}`) },
    { ...one, what: 'opened', path: endpoint, ready: ROW },
    { ...one, what: 'charts', path: `${endpoint}&tab=charts`, ready: CHART },
  ]
}

function choose(label: string, value: string, asks: string): PageStep['filter'] {
  return { act: async (page) => await page.getByLabel(label).selectOption(value), asks }
}

/** What is typed is not measured, Enter is. */
function search(text: string, asks: string): PageStep['filter'] {
  return {
    prepare: async (page) => await page.getByRole('searchbox').fill(text),
    act: async (page) => await page.getByRole('searchbox').press('Enter'),
    asks,
  }
}
