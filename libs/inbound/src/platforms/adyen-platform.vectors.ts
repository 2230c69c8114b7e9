/** Requests of Adyen (platform / management webhooks) that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'adyen-platform',
    from: 'adyen-node-api-library, src/__tests__/hmacValidator.spec.ts',
    credentials: { secret: '11223344D785FBAE710E7F943F307971BB61B21281C98C9129B3D4018A57B2EB' },
    headers: {
      HmacSignature: 'UVBzHbDayhfT1XgaRGAkuKvxwoxrLoVCBdfi3WZU8lI=',
      Protocol: 'HmacSHA256',
    },
    body: '{\n    "data": {\n      "balancePlatform": "YOUR_BALANCE_PLATFORM",\n      "accountHolder": {\n        "contactDetails": {\n          "email": "test@adyen.com",\n          "phone": {\n            "number": "0612345678",\n            "type": "mobile"\n          },\n          "address": {\n            "houseNumberOrName": "23",\n            "city": "Amsterdam",\n            "country": "NL",\n            "postalCode": "12345",\n            "street": "Main Street 1"\n          }\n        },\n        "description": "Shelly Eller",\n        "legalEntityId": "LE00000000000000000001",\n        "reference": "YOUR_REFERENCE-2412C",\n        "capabilities": {\n          "issueCard": {\n            "enabled": true,\n            "requested": true,\n            "allowed": false,\n            "verificationStatus": "pending"\n          },\n          "receiveFromTransferInstrument": {\n            "enabled": true,\n            "requested": true,\n            "allowed": false,\n            "verificationStatus": "pending"\n          },\n          "sendToTransferInstrument": {\n            "enabled": true,\n            "requested": true,\n            "allowed": false,\n            "verificationStatus": "pending"\n          },\n          "sendToBalanceAccount": {\n            "enabled": true,\n            "requested": true,\n            "allowed": false,\n            "verificationStatus": "pending"\n          },\n          "receiveFromBalanceAccount": {\n            "enabled": true,\n            "requested": true,\n            "allowed": false,\n            "verificationStatus": "pending"\n          }\n        },\n        "id": "AH00000000000000000001",\n        "status": "active"\n      }\n    },\n    "environment": "test",\n    "timestamp": "2024-12-15T15:42:03+01:00",\n    "type": "balancePlatform.accountHolder.created"\n  }',
  },
]
