/**
 * PayPal signs with the key of a certificate whose address the request names. It is fetched from
 * PayPal's own hosts only, must bear a name of PayPal's and be valid today; when the file holds its
 * issuers, they must lead to a root that Node trusts. A file without issuers is trusted because of
 * the host that it came from.
 */
import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { crc32 } from 'node:zlib'
import { verifyAsymmetric } from '../asymmetric.ts'
import { rejected, step, unavailable, type VerificationResult } from '../verification-result.ts'
import type { VerifierTools } from '../custom-verifier.ts'
import type { AsymmetricRule } from '../verification-rules.ts'
import { pinnedUrl } from '../public-keys.ts'
import type { RequestView } from '../request-view.ts'

const CERTIFICATE_URL = {
  urlAt: { header: 'PAYPAL-CERT-URL' },
  hosts: /^api(\.sandbox)?\.paypal\.com$/,
  path: /^\/v1\/notifications\/certs\/[\w-]+$/,
}
const RULE: Omit<AsymmetricRule, 'key'> = {
  kind: 'asymmetric',
  algorithm: 'rsa-sha256',
  encoding: 'base64',
  signature: { at: { header: 'PAYPAL-TRANSMISSION-SIG' } },
  signed: '{header:PAYPAL-TRANSMISSION-ID}|{t}|{config:webhook_id}|CRC-32 of the body',
  content: (view, timestamp) =>
    view
      .configured('webhook_id')
      .map((id) =>
        [view.header('PAYPAL-TRANSMISSION-ID') ?? '', timestamp, id, crc32(view.request.body)].join(
          '|',
        ),
      ),
  timestamp: {
    at: { header: 'PAYPAL-TRANSMISSION-TIME' },
    unit: 'iso8601',
    // Repeats go on for days, and no document says that they are signed anew.
    toleranceSeconds: null,
  },
}
/** A certificate and two intermediates are usual. */
const MAX_CERTIFICATES = 10

export async function verifyPaypal(
  view: RequestView,
  tools: VerifierTools,
): Promise<VerificationResult> {
  const verifyWith = (pem: string) => verifyAsymmetric({ ...RULE, key: { pem } }, view, tools)
  // Without a signature there is nothing to fetch; the rule rejects the request.
  if (view.header('PAYPAL-TRANSMISSION-SIG') === undefined) return await verifyWith('')
  const algorithm = view.header('PAYPAL-AUTH-ALGO') ?? 'SHA256withRSA'
  if (algorithm !== 'SHA256withRSA') {
    return rejected('malformed_signature', step('algorithm', 'SHA256withRSA', algorithm, false))
  }
  const named = view.header('PAYPAL-CERT-URL')
  const url = named === undefined ? null : pinnedUrl(named, CERTIFICATE_URL)
  if (url === null) return unknown('no address of a certificate, or not PayPal’s')
  let file: string
  try {
    file = await tools.keys.text(url)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return unavailable(step('certificate', 'PayPal’s certificate', why, false))
  }
  const leaf = leafOf(file)
  return typeof leaf === 'string' ? unknown(leaf) : await verifyWith(leaf.toString())
}

function unknown(why: string): VerificationResult {
  return rejected('unknown_key', step('certificate', 'PayPal’s certificate', why, false))
}

/** @returns the certificate, or in words why it is not trusted */
function leafOf(file: string): X509Certificate | string {
  const certificates = certificatesIn(file)
  const [leaf] = certificates
  if (leaf === undefined) return 'no certificate'
  const name = /^CN=(.+)$/m.exec(leaf.subject)?.[1] ?? ''
  if (!/^[\w.-]+\.paypal\.com$/i.test(name)) return 'of another name'
  return isLinked(certificates) ? leaf : 'not issued by one that is trusted'
}

function certificatesIn(file: string): X509Certificate[] {
  const blocks = file.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    return blocks.slice(0, MAX_CERTIFICATES).map((block) => new X509Certificate(block))
  } catch {
    return []
  }
}

function isLinked(chain: readonly X509Certificate[]): boolean {
  if (chain.length === 1) return true
  const last = chain.at(-1) as X509Certificate
  const isOrdered = chain
    .slice(0, -1)
    .every((one, index) => isIssuedBy(one, chain[index + 1] as X509Certificate))
  return isOrdered && roots().some((root) => root.raw.equals(last.raw) || isIssuedBy(last, root))
}

function isIssuedBy(one: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && one.checkIssued(issuer) && one.verify(issuer.publicKey)
}

let parsedRoots: X509Certificate[] | undefined

function roots(): X509Certificate[] {
  parsedRoots ??= rootCertificates.map((pem) => new X509Certificate(pem))
  return parsedRoots
}
