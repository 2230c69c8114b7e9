/**
 * Adds the states of circuits to endpoints' records. Only the state store knows them; when it does
 * not answer, they are shown as closed.
 */
import type { Endpoint } from '@posthorn/contracts/endpoints'
import type { Handlers } from '@posthorn/http/handlers'
import type { StateStore } from '@posthorn/state/state-store'

type Shown = Pick<Endpoint, 'id' | 'circuitState'>

type ShowingHandlers = Pick<
  Handlers<'portal-api'>,
  | 'listEndpoints'
  | 'getEndpoint'
  | 'updateEndpoint'
  | 'pauseEndpoint'
  | 'resumeEndpoint'
  | 'rollbackEndpoint'
  | 'setEndpointMtls'
  | 'rotateEndpointSecret'
>

/** Wraps these handlers. A newly created endpoint has no circuit yet. */
export function withCircuitStates(
  readCircuits: StateStore['readCircuits'],
  handlers: ShowingHandlers,
): ShowingHandlers {
  async function show<Answer>(endpoints: readonly Shown[], answer: Answer): Promise<Answer> {
    const views = await readCircuits(endpoints.map(({ id }) => id))
    endpoints.forEach((endpoint, index) => {
      endpoint.circuitState = views[index]?.state ?? 'closed'
    })
    return answer
  }

  function ofOne<Request, Answer>(handle: (request: Request) => Promise<Answer>) {
    return async (request: Request): Promise<Answer> => {
      const answer = await handle(request)
      return await show([answer as Shown], answer)
    }
  }

  return {
    async listEndpoints(request) {
      const page = await handlers.listEndpoints(request)
      return 'data' in page ? await show(page.data, page) : page
    },
    getEndpoint: ofOne(handlers.getEndpoint),
    updateEndpoint: ofOne(handlers.updateEndpoint),
    pauseEndpoint: ofOne(handlers.pauseEndpoint),
    resumeEndpoint: ofOne(handlers.resumeEndpoint),
    rollbackEndpoint: ofOne(handlers.rollbackEndpoint),
    setEndpointMtls: ofOne(handlers.setEndpointMtls),
    rotateEndpointSecret: ofOne(handlers.rotateEndpointSecret),
  }
}
