/**
 * Addresses, ranges and URLs of any text are classified and never throw; what is no address is
 * never let through.
 */
import { isIP } from 'node:net'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { classifyAddress, compileCidrs, GLOBAL, isValidCidr } from './addresses.ts'
import { checkDestination } from './check-destination.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.ipV4(),
  fc.ipV6(),
  fc.stringMatching(/^[0-9a-fx.:/%[\]]{1,30}$/),
)

test('what is no address is not global', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const kind = classifyAddress(text)
      expect(typeof kind).toBe('string')
      if (isIP(text) === 0) expect(kind).not.toBe(GLOBAL)
    }),
    { numRuns: 2_000 },
  )
})

test('any text is a range that can be compiled, or none, and both ways agree', () => {
  const text = fc.oneof(
    anyText,
    fc.tuple(anyText, fc.integer({ min: -1, max: 200 })).map(([ip, bits]) => `${ip}/${bits}`),
  )
  fc.assert(
    fc.property(text, anyText, (cidr, ip) => {
      if (isValidCidr(cidr)) expect(typeof compileCidrs([cidr]).has(ip)).toBe('boolean')
      else expect(() => compileCidrs([cidr])).toThrow('is not a CIDR range')
    }),
    { numRuns: 2_000 },
  )
})

test('a range holds the address that it was made from', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), (ip, bits) => {
      expect(compileCidrs([`${ip}/${bits}`]).has(ip)).toBe(true)
    }),
  )
})

test('any text is a destination, blocked or invalid', () => {
  const url = fc
    .tuple(fc.constantFrom('http://', 'https:', '//', 'ftp://', ''), anyText)
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.oneof(anyText, url, fc.webUrl()), (text) => {
      const { outcome } = checkDestination(text, { allowCidrs: [], requireHttps: false })
      expect(['ok', 'blocked', 'invalid']).toContain(outcome)
    }),
    { numRuns: 2_000 },
  )
})

test('an address that is not global is refused in every spelling that URLs give it', () => {
  fc.assert(
    fc.property(fc.ipV4(), (ip) => {
      if (classifyAddress(ip) === GLOBAL) return
      const [a, b, c, d] = ip.split('.').map(Number) as [number, number, number, number]
      const whole = ((a * 256 + b) * 256 + c) * 256 + d
      const octal = [a, b, c, d].map((part) => `0${part.toString(8)}`).join('.')
      for (const host of [
        ip,
        `${whole}`,
        `0x${whole.toString(16)}`,
        octal,
        `[::ffff:${ip}]`,
        `${a}.${whole % 2 ** 24}`,
      ]) {
        const { outcome } = checkDestination(`http://${host}/`, {
          allowCidrs: [],
          requireHttps: false,
        })
        expect({ host, outcome }).toEqual({ host, outcome: 'blocked' })
      }
    }),
    { numRuns: 2_000 },
  )
})
