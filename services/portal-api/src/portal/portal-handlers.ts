/**
 * The routes of the portal: those of the API, confined to the sub-account by their caller, whose
 * answers are cut down to what the portal's own schemas name.
 */
import * as portal from '@posthorn/contracts/portal'
import { type Handlers, isReply } from '@posthorn/http/handlers'

/** The API's handlers that the portal uses. */
export type PortalSources = Pick<
  Handlers<'portal-api'>,
  | 'createEndpoint'
  | 'listEndpoints'
  | 'getEndpoint'
  | 'updateEndpoint'
  | 'deleteEndpoint'
  | 'pauseEndpoint'
  | 'resumeEndpoint'
  | 'testEndpoint'
  | 'rotateEndpointSecret'
  | 'replayEndpoint'
  | 'getReplay'
  | 'listDeliveries'
  | 'listEventDeliveries'
  | 'explainEvent'
>

type PortalHandlers = Pick<
  Handlers<'portal-api'>,
  | 'createSubAccountEndpoint'
  | 'listSubAccountEndpoints'
  | 'getSubAccountEndpoint'
  | 'updateSubAccountEndpoint'
  | 'deleteSubAccountEndpoint'
  | 'pauseSubAccountEndpoint'
  | 'resumeSubAccountEndpoint'
  | 'testSubAccountEndpoint'
  | 'rotateSubAccountEndpointSecret'
  | 'replaySubAccountEndpoint'
  | 'getSubAccountReplay'
  | 'listSubAccountEndpointDeliveries'
  | 'listSubAccountEventDeliveries'
  | 'explainSubAccountEvent'
>

export function createPortalHandlers(sources: PortalSources): PortalHandlers {
  return {
    createSubAccountEndpoint: shownAs(portal.PortalEndpointCreated, sources.createEndpoint),
    listSubAccountEndpoints: shownAs(portal.PortalEndpointPage, sources.listEndpoints),
    getSubAccountEndpoint: shownAs(portal.PortalEndpoint, sources.getEndpoint),
    updateSubAccountEndpoint: shownAs(portal.PortalEndpoint, sources.updateEndpoint),
    deleteSubAccountEndpoint: sources.deleteEndpoint,
    pauseSubAccountEndpoint: shownAs(portal.PortalEndpoint, sources.pauseEndpoint),
    resumeSubAccountEndpoint: shownAs(portal.PortalEndpoint, sources.resumeEndpoint),
    testSubAccountEndpoint: shownAs(portal.PortalEventSummary, sources.testEndpoint),
    rotateSubAccountEndpointSecret: shownAs(
      portal.PortalEndpointRotated,
      sources.rotateEndpointSecret,
    ),
    replaySubAccountEndpoint: sources.replayEndpoint,
    getSubAccountReplay: sources.getReplay,
    async listSubAccountEndpointDeliveries(request) {
      const { query, params } = request
      // An endpoint that is not there is not found: an empty list would say that it is.
      await sources.getEndpoint({ ...request, query: undefined })
      return await sources.listDeliveries({
        ...request,
        query: { ...query, endpoint_id: params['id'] },
      })
    },
    listSubAccountEventDeliveries: sources.listEventDeliveries,
    explainSubAccountEvent: sources.explainEvent,
  }
}

/** What the schema does not name is left out, so a field that is new is not shown by accident. */
function shownAs<Shown, Request>(
  schema: { parse(answer: unknown): Shown },
  handle: (request: Request) => Promise<unknown>,
): (request: Request) => Promise<Shown> {
  return async (request) => {
    const answer = await handle(request)
    if (isReply(answer)) throw new Error('a reply can’t be cut down to what the portal shows')
    return schema.parse(answer)
  }
}
