/** What Atlassian’s two ways of sending have in common. */

export const JIRA_ISSUE = {
  timestamp: 1700000000000,
  webhookEvent: 'jira:issue_updated',
  issue: { id: '10002', key: 'TEST-1' },
}
