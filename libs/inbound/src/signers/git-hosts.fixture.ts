/** Bodies and headers that several hosts of Git repositories send. */

export const PUSH = { ref: 'refs/heads/main', repository: { full_name: 'a/b' }, commits: [] }

export const GITHUB_HEADERS = {
  'X-GitHub-Event': 'push',
  'X-GitHub-Delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
  'X-GitHub-Hook-ID': '292430182',
}

export const GITLAB_HEADERS = {
  'Idempotency-Key': '4e3c7d1a',
  'X-Gitlab-Event': 'Push Hook',
  'X-Gitlab-Event-UUID': '13792a34-cac6-4fda-95a8-c58e00a3954e',
  'X-Gitlab-Webhook-UUID': '02affd2d-2cba-4033-917d-ec22d5dc4b38',
  'X-Gitlab-Instance': 'https://gitlab.com',
}

export const GITLAB_PUSH = { object_kind: 'push', ref: 'refs/heads/main' }
