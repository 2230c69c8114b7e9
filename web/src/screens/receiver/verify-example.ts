/** What a receiver in Node writes to verify a request. */
export function verifyExample(
  headerNames: { timestamp: string; signature: string },
  toleranceSeconds: number,
): string {
  return `import { createHmac, timingSafeEqual } from 'node:crypto'

export function isGenuine(rawBody, headers, secret) {
  const timestamp = headers['${headerNames.timestamp}']
  if (Math.abs(Date.now() / 1000 - timestamp) > ${toleranceSeconds}) return false
  const mac = createHmac('sha256', secret).update(\`\${timestamp}.\${rawBody}\`).digest('hex')
  const expected = Buffer.from(\`v1=\${mac}\`)
  const received = Buffer.from(headers['${headerNames.signature}'] ?? '')
  return expected.length === received.length && timingSafeEqual(expected, received)
}
`
}
