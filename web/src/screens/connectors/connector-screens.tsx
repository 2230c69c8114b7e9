/** The screens of connectors, which come together. */
export { Connector } from './connector.tsx'
export { Connectors } from './connectors.tsx'
