/** A request of GitHub's as the source with the suite's secret signs it. */
import { createHmac, randomUUID } from 'node:crypto'

export function signedGitHub(body: string): Record<string, string> {
  const signature = createHmac('sha256', 'secret-secret').update(body).digest('hex')
  return {
    'Content-Type': 'application/json',
    'X-GitHub-Event': 'push',
    'X-GitHub-Delivery': randomUUID(),
    'X-Hub-Signature-256': `sha256=${signature}`,
  }
}
