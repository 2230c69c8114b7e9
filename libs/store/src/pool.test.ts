import { expect, test } from '@jest/globals'
import { isUnavailable } from './pool.ts'

function errorWith(fields: object, message = 'failed'): Error {
  return Object.assign(new Error(message), fields)
}

/** As Prisma 7 with its adapter for pg reports what the driver said. */
function prismaError(code: string, cause: object): Error {
  return errorWith({ code, meta: { driverAdapterError: { name: 'DriverAdapterError', cause } } })
}

test.each([
  ['a refused connection', errorWith({ code: 'ECONNREFUSED' })],
  ['a Unix socket that is gone', errorWith({ code: 'ENOENT' })],
  ['a Unix socket whose queue is full', errorWith({ code: 'EAGAIN' })],
  ['a shutdown', errorWith({ code: '57P01' })],
  ['a connection that broke', errorWith({}, 'Connection terminated unexpectedly')],
  ['no free connection', errorWith({}, 'timeout exceeded when trying to connect')],
  ['Prisma: refused', prismaError('P1001', { kind: 'DatabaseNotReachable' })],
  ['Prisma: refused, in a raw statement', prismaError('P2010', { kind: 'DatabaseNotReachable' })],
  ['Prisma: reset, in a raw statement', prismaError('P2010', { kind: 'ConnectionClosed' })],
  ['Prisma: a shutdown', prismaError('P2039', { kind: 'postgres', originalCode: '57P01' })],
  ['Prisma: our own timeout', prismaError('P2039', { kind: 'postgres', originalCode: '57014' })],
  ['Prisma: no free connection for a transaction', errorWith({ code: 'P2028', meta: {} })],
])('%s means that Postgres is not there', (_name, error) => {
  expect(isUnavailable(error)).toBe(true)
})

test.each([
  ['a taken key', errorWith({ code: '23505' })],
  [
    'Prisma: a taken key',
    prismaError('P2002', { kind: 'UniqueConstraintViolation', originalCode: '23505' }),
  ],
  ['Prisma: wrong SQL', prismaError('P2010', { kind: 'postgres', originalCode: '42601' })],
  ['an error of our own', new TypeError('x is undefined')],
  ['no error at all', null],
])('%s does not', (_name, error) => {
  expect(isUnavailable(error)).toBe(false)
})
