// Generated from the route catalog by `npm run sdks`: do not edit.

export const ENDPOINT_DEFAULTS = {
  "description": null,
  "maxRetries": 5,
  "retryBackoffMs": 1000,
  "retryBackoffMax": 86400000,
  "retryBackoffMult": 2,
  "timeoutMs": 30000,
  "filter": null,
  "transformation": null,
  "fifo": false,
  "fifoPartitionKey": null,
  "rateLimitPerSec": 0,
  "circuitThreshold": 5,
  "circuitResetMs": 300000,
  "deliveryMode": "push",
  "storageConfig": null,
  "customHeaders": null,
  "allowedCidrs": null,
  "blockedCidrs": null
} as const
