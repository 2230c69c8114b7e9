/** An independent signer of Jira Cloud (admin webhooks), written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

const issue = {
  timestamp: 1700000000000,
  webhookEvent: 'jira:issue_created',
  issue: { id: '99291' },
}

export const signers: readonly Signer[] = [
  mac({
    source: 'jira',
    header: 'X-Hub-Signature',
    show: (s) => `sha256=${s}`,
    headers: { 'X-Atlassian-Webhook-Identifier': '8a2d9c1e' },
    body: issue,
    type: 'jira:issue_created',
    id: '8a2d9c1e',
  }),
]
