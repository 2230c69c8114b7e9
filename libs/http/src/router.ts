/**
 * What a service hands over to be mounted, so that nothing but this library needs to know Express
 * by name.
 */
export type { Router } from 'express'
