// Generated from the route catalog by `npm run sdks`: do not edit.

export interface CatalogTool {
  name: string
  description: string
  method: string
  path: string
  query: readonly string[]
  inputSchema: {
    type: 'object'
    properties: Record<string, object>
    required: string[]
    additionalProperties: false
  }
}

export const CATALOG_TOOLS: readonly CatalogTool[] = [
  {
    "name": "search_events",
    "description": "List events, newest first",
    "method": "GET",
    "path": "/api/v1/events",
    "query": [
      "limit",
      "cursor",
      "status",
      "eventType",
      "endpointId",
      "destination",
      "from",
      "to"
    ],
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer",
          "minimum": 1,
          "maximum": 100,
          "default": 20
        },
        "cursor": {
          "type": "string",
          "pattern": "^[A-Za-z0-9_-]{21}[AQgw]$"
        },
        "status": {
          "type": "string",
          "enum": [
            "queued",
            "delivering",
            "delivered",
            "failed",
            "dead"
          ]
        },
        "eventType": {
          "type": "string",
          "pattern": "^[A-Za-z0-9._\\-/:]{1,255}$"
        },
        "endpointId": {
          "type": "string",
          "format": "uuid"
        },
        "destination": {
          "description": "direct events to exactly this URL",
          "type": "string",
          "maxLength": 2048,
          "pattern": "^[^\\u0000]*$"
        },
        "from": {
          "description": "accepted at this time or later",
          "type": "string",
          "format": "date-time",
          "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z|([+-](?:[01]\\d|2[0-3]):[0-5]\\d)))$"
        },
        "to": {
          "description": "accepted before this time",
          "type": "string",
          "format": "date-time",
          "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z|([+-](?:[01]\\d|2[0-3]):[0-5]\\d)))$"
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "get_event",
    "description": "One event with its attempts",
    "method": "GET",
    "path": "/api/v1/events/{eventId}",
    "query": [],
    "inputSchema": {
      "type": "object",
      "properties": {
        "eventId": {
          "type": "string"
        }
      },
      "required": [
        "eventId"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "explain_event",
    "description": "Why an event went to which endpoints, and what its deliveries wait for",
    "method": "GET",
    "path": "/api/v1/events/{eventId}/explain",
    "query": [],
    "inputSchema": {
      "type": "object",
      "properties": {
        "eventId": {
          "type": "string"
        }
      },
      "required": [
        "eventId"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "list_event_attempts",
    "description": "An event's delivery attempts in the order in which they were made",
    "method": "GET",
    "path": "/api/v1/events/{eventId}/deliveries",
    "query": [
      "limit",
      "cursor"
    ],
    "inputSchema": {
      "type": "object",
      "properties": {
        "eventId": {
          "type": "string"
        },
        "limit": {
          "type": "integer",
          "minimum": 1,
          "maximum": 1000,
          "default": 1000
        },
        "cursor": {
          "type": "string",
          "pattern": "^[A-Za-z0-9_-]{21}[AQgw]$"
        }
      },
      "required": [
        "eventId"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "search_attempts",
    "description": "List delivery attempts, newest first",
    "method": "GET",
    "path": "/api/v1/deliveries",
    "query": [
      "range",
      "start",
      "end",
      "outcome",
      "endpoint_id",
      "event_type",
      "limit",
      "offset"
    ],
    "inputSchema": {
      "type": "object",
      "properties": {
        "range": {
          "type": "string",
          "enum": [
            "1h",
            "24h",
            "7d",
            "30d"
          ]
        },
        "start": {
          "type": "string",
          "format": "date-time",
          "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z|([+-](?:[01]\\d|2[0-3]):[0-5]\\d)))$"
        },
        "end": {
          "type": "string",
          "format": "date-time",
          "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z|([+-](?:[01]\\d|2[0-3]):[0-5]\\d)))$"
        },
        "outcome": {
          "type": "string",
          "enum": [
            "success",
            "failure",
            "timeout"
          ]
        },
        "endpoint_id": {
          "type": "string",
          "format": "uuid"
        },
        "event_type": {
          "type": "string",
          "pattern": "^[A-Za-z0-9._\\-/:]{1,255}$"
        },
        "limit": {
          "type": "integer",
          "minimum": 1,
          "maximum": 200,
          "default": 50
        },
        "offset": {
          "type": "integer",
          "minimum": 0,
          "maximum": 10000,
          "default": 0
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "get_attempt",
    "description": "One delivery attempt",
    "method": "GET",
    "path": "/api/v1/deliveries/{deliveryId}",
    "query": [],
    "inputSchema": {
      "type": "object",
      "properties": {
        "deliveryId": {
          "type": "string"
        }
      },
      "required": [
        "deliveryId"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "list_endpoints",
    "description": "List endpoints, newest first",
    "method": "GET",
    "path": "/api/v1/endpoints",
    "query": [
      "limit",
      "cursor"
    ],
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer",
          "minimum": 1,
          "maximum": 100,
          "default": 20
        },
        "cursor": {
          "type": "string",
          "pattern": "^[A-Za-z0-9_-]{21}[AQgw]$"
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "get_endpoint",
    "description": "One endpoint",
    "method": "GET",
    "path": "/api/v1/endpoints/{id}",
    "query": [],
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "endpoint_health",
    "description": "How endpoints are doing, worst first",
    "method": "GET",
    "path": "/api/v1/analytics/endpoint-health",
    "query": [
      "endpointId",
      "from",
      "to"
    ],
    "inputSchema": {
      "type": "object",
      "properties": {
        "endpointId": {
          "type": "string",
          "format": "uuid",
          "pattern": "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$"
        },
        "from": {
          "description": "24 hours before `to` where it is not given",
          "type": "string",
          "format": "date-time",
          "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z|([+-](?:[01]\\d|2[0-3]):[0-5]\\d)))$"
        },
        "to": {
          "description": "now where it is not given",
          "type": "string",
          "format": "date-time",
          "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z|([+-](?:[01]\\d|2[0-3]):[0-5]\\d)))$"
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "list_event_types",
    "description": "List event types, newest first",
    "method": "GET",
    "path": "/api/v1/event-types",
    "query": [
      "limit",
      "cursor"
    ],
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer",
          "minimum": 1,
          "maximum": 100,
          "default": 20
        },
        "cursor": {
          "type": "string",
          "pattern": "^[A-Za-z0-9_-]{21}[AQgw]$"
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "get_event_type",
    "description": "One event type by its name",
    "method": "GET",
    "path": "/api/v1/event-types/by-name/{name}",
    "query": [],
    "inputSchema": {
      "type": "object",
      "properties": {
        "name": {
          "type": "string"
        }
      },
      "required": [
        "name"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "live_stats",
    "description": "What waits, fails and is delivered just now",
    "method": "GET",
    "path": "/api/v1/stats",
    "query": [],
    "inputSchema": {
      "type": "object",
      "properties": {},
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "failures_by_category",
    "description": "Failed attempts by category, by hour or day",
    "method": "GET",
    "path": "/api/v1/analytics/failures",
    "query": [
      "endpointId",
      "from",
      "to"
    ],
    "inputSchema": {
      "type": "object",
      "properties": {
        "endpointId": {
          "type": "string",
          "format": "uuid",
          "pattern": "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$"
        },
        "from": {
          "description": "24 hours before `to` where it is not given",
          "type": "string",
          "format": "date-time",
          "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z|([+-](?:[01]\\d|2[0-3]):[0-5]\\d)))$"
        },
        "to": {
          "description": "now where it is not given",
          "type": "string",
          "format": "date-time",
          "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z|([+-](?:[01]\\d|2[0-3]):[0-5]\\d)))$"
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "replay_event",
    "description": "Queue again the deliveries of an event that did not succeed; 409 beyond 30,000 attempts of one over all replays, and while retention removes the event",
    "method": "POST",
    "path": "/api/v1/events/{eventId}/replay",
    "query": [],
    "inputSchema": {
      "type": "object",
      "properties": {
        "eventId": {
          "type": "string"
        }
      },
      "required": [
        "eventId"
      ],
      "additionalProperties": false
    }
  }
]
