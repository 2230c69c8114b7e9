/** The screens of endpoints. */
export { Endpoint } from './endpoint.tsx'
export { Endpoints } from './endpoints.tsx'
export { NewEndpoint } from './new-endpoint.tsx'
