/**
 * The project that the dashboard shows. It stands in the URL, stays there from screen to screen, and
 * confines what is asked; without it everything of all projects is shown.
 */
import { retainSearchParams } from '@tanstack/react-router'
import type { Middleware } from 'openapi-fetch'

/** What belongs to a project. The rest is the workspace's, and says the same in each. */
const OF_PROJECT =
  /^\/api\/v1\/(alert-rules|alerting|analytics|deliveries|endpoints|event-types|events|inbound-endpoints)\b/

export function shownProject(): string {
  return new URLSearchParams(location.search).get('project') ?? ''
}

/** Of a route: its links lead on in the same project. */
export const keepProject = { middlewares: [retainSearchParams(['project' as never])] }

export const askOfProject: Middleware = {
  onRequest({ request, schemaPath }) {
    const project = shownProject()
    if (project !== '' && OF_PROJECT.test(schemaPath)) request.headers.set('X-Project-ID', project)
    return request
  },
}
