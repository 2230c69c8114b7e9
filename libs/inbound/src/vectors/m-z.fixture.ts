/** Vectors of the platforms of M to Z. PayPal's is missing: no public source shows the certificate that belongs to it. */
import type { Vector } from './vector.fixture.ts'

export const mToZ: readonly Vector[] = [
  {
    source: 'messagebird',
    from: 'messagebird python-rest-api, webhook_signature_test_data.json',
    at: 1625479200000,
    credentials: {
      secret: '36efdd1aace2e26cd490f0d951138253bef2f7c6d34d18981da781555cc4cebb',
      webhook_url: 'https://example.com/path?bar=1&foo=2',
    },
    headers: {
      'MessageBird-Signature-JWT':
        'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJNZXNzYWdlQmlyZCIsIm5iZiI6MTYyNTQ3OTIwMCwiZXhwIjoxNjI1NDc5MjYwLCJqdGkiOiI5M2U1NTAwNi1hMGU4LTQ1MjYtYTE5MC1mYTVmZjAwZWExMTYiLCJ1cmxfaGFzaCI6IjQxZjA1ZjBkZGQwYTIyYWIyMDlhYzQ2ZjQ3YzQ1NzJkOWNlZmEyNTdlZDc0YjI0MDA0YmFlNzUzZWNlNmMyNjAiLCJwYXlsb2FkX2hhc2giOiJkZmZkNjAyMWJiMmJkNWIwYWY2NzYyOTA4MDllYzNhNTMxOTFkZDgxYzdmNzBhNGIyODY4OGEzNjIxODI5ODZmIn0._H--TOuYFLpeEH39-rg5E3IHVkjHozBcaKVWPRC5m9I',
    },
    body: 'Hello, World!',
  },
  {
    source: 'metronome',
    from: 'metronome-node, tests/api-resources/webhooks.test.ts',
    at: 1136239445000,
    credentials: { secret: 'correct-horse-battery-staple' },
    headers: {
      'X-Metronome-Date': 'Mon, 02 Jan 2006 22:04:05 GMT',
      'Metronome-Webhook-Signature':
        'b82652fa2246cf1d8a27e591f155c865f68b46c19b9213fd9c052f2419b4742b',
    },
    body: '{\n  "id": "b2c9e307-624e-4e7d-a5a4-1b74107d78c4",\n  "type": "widget_created",\n  "properties": {\n    "customer_id": "5f794d50-085a-4db6-8d15-286e518b7225",\n    "widget_id": "0891458d-b6f0-4fdd-a41e-380aae1a1e38"\n  }\n}',
  },
  {
    source: 'moralis',
    from: 'Moralis-JS-SDK, packages/streams/src/methods/verifySignature.test.ts',
    credentials: { secret: 'k9k9k9k9k9k9k9k9k9k9k9k9k9k9k9k9k9k9k9k9k9k9k9k9k9k9k9k9k9k9k9k9' },
    headers: {
      'x-signature': '0x3c4b2e6b07e386f97198eb2dc639f7901f00a5d3ec1b8c8effe4838920d71829',
    },
    body: '{"abi":[],"block":{"number":"","hash":"","timestamp":""},"txs":[],"txsInternal":[],"logs":[],"chainId":"","confirmed":true,"retries":0,"tag":"","streamId":"","erc20Approvals":[],"erc20Transfers":[],"nftTokenApprovals":[],"nftApprovals":{"ERC721":[],"ERC1155":[]},"nftTransfers":[],"nativeBalances":[]}',
  },
  {
    source: 'openai',
    from: 'openai-python, tests/lib/test_webhooks.py',
    at: 1750861210000,
    credentials: { secret: 'whsec_RdvaYFYUXuIFuEbvZHwMfYFhUf7aMYjYcmM24+Aj40c=' },
    headers: {
      'webhook-id': 'wh_685c059ae39c8190af8c71ed1022a24d',
      'webhook-timestamp': '1750861210',
      'webhook-signature': 'v1,gUAg4R2hWouRZqRQG4uJypNS8YK885G838+EHb4nKBY=',
    },
    body: '{"id": "evt_685c059ae3a481909bdc86819b066fb6", "object": "event", "created_at": 1750861210, "type": "response.completed", "data": {"id": "resp_123"}}',
  },
  {
    source: 'razorpay',
    from: 'razorpay-node, test/utils/razorpay-utils.spec.js',
    credentials: { secret: '123456' },
    headers: {
      'X-Razorpay-Signature': '2fe04e22977002e6c7cb553adab8b460cb9e2a4970d5953cb27a8472752e3bbc',
    },
    body: '{"a":1,"b":2,"c":{"d":3}}',
  },
  {
    source: 'replicate',
    from: 'replicate-javascript, index.test.ts',
    at: 1614265330000,
    credentials: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    body: '{"test": 2432232314}',
  },
  {
    source: 'resend',
    from: 'svix-webhooks, javascript/src/webhook.test.ts',
    at: 1614265330000,
    credentials: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    headers: {
      'svix-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'svix-timestamp': '1614265330',
      'svix-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    body: '{"test": 2432232314}',
  },
  {
    source: 'sanity',
    from: '@sanity/webhook, test/signature.test.ts',
    at: 1633519811129,
    credentials: { secret: 'test' },
    headers: {
      'sanity-webhook-signature': 't=1633519811129,v1=tLa470fx7qkLLEcMOcEUFuBbRSkGujyskxrNXcoh0N0',
    },
    body: '{"_id":"resume"}',
  },
  {
    source: 'sendgrid',
    from: 'sendgrid-nodejs, packages/eventwebhook/src/eventwebhook.spec.js',
    at: 1600112502000,
    credentials: {
      public_key:
        'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==',
    },
    headers: {
      'X-Twilio-Email-Event-Webhook-Signature':
        'MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM=',
      'X-Twilio-Email-Event-Webhook-Timestamp': '1600112502',
    },
    body: '[{"email":"hello@world.com","event":"dropped","reason":"Bounced Address","sg_event_id":"ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA","sg_message_id":"LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0","smtp-id":"<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>","timestamp":1600112492}]\r\n',
  },
  {
    source: 'sinch',
    from: 'sinch-sdk-python, tests/unit/domains/conversation/v1/sinch_events',
    at: 1634579353000,
    credentials: { secret: 'foo_secret1234' },
    headers: {
      'x-sinch-webhook-signature': 'Yc+3R1pIS78xLASybulhs8BsSo9BPB3Pr92QCUoczfk=',
      'x-sinch-webhook-signature-nonce': '01FJA8B4A7BM43YGWSG9GBV067',
      'x-sinch-webhook-signature-timestamp': '1634579353',
    },
    body: '{"app_id":"01EB37HMH1M6SV18BSNS3G135H","accepted_time":"2020-11-17T15:09:11.659Z","project_id":"c36f3d3d-1513-2edd-ae42-11995557ff61","message_delivery_report":{"message_id":"01EQBC1A3BEK731GY4YXEN0C2R","conversation_id":"01EPYATA64TMNZ1FV02JKF12JF","status":"QUEUED_ON_CHANNEL","contact_id":"01EXA07N79THJ20WSN6AS30TMW"}}',
  },
  {
    source: 'sinch-numbers',
    from: 'sinch-sdk-python, test_authentication_validation.py',
    credentials: { secret: 'my-callback-secret' },
    headers: { 'X-Sinch-Signature': 'd2107528d5d52897a97dc6e24e09a208036ccd83' },
    body: '{"eventId":"event_id","timestamp":"2025-04-08T10:38:04.854087603","projectId":"project-id","resourceId":"+1234567890","resourceType":"ACTIVE_NUMBER","eventType":"PROVISIONING_TO_VOICE_PLATFORM","status":"SUCCEEDED","failureCode":null,"internalFailureCode":null}',
  },
  {
    source: 'slack',
    from: 'Slack’s documents, verifying requests from Slack',
    at: 1531420618000,
    credentials: { secret: '8f742231b10e8888abcd99yyyzzz85a5' },
    headers: {
      'X-Slack-Request-Timestamp': '1531420618',
      'X-Slack-Signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    },
    body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
  },
  {
    source: 'square',
    from: 'Square’s documents, sample server',
    credentials: { secret: 'asdf1234', webhook_url: 'https://example.com/webhook' },
    headers: { 'x-square-hmacsha256-signature': '2kRE5qRU2tR+tBGlDwMEw2avJ7QM4ikPYD/PJ3bd9Og=' },
    body: '{"hello":"world"}',
  },
  {
    source: 'square',
    from: 'square-python-sdk, tests/integration/test_webhooks_helper.py',
    credentials: {
      secret: 'Ibxx_5AKakO-3qeNVR61Dw',
      webhook_url: 'https://webhook.site/679a4f3a-dcfa-49ee-bac5-9d0edad886b9',
    },
    headers: { 'x-square-hmacsha256-signature': 'GF4YkrJgGBDZ9NIYbNXBnMzqb2HoL4RW/S6vkZ9/2N4=' },
    body: '{"merchant_id":"MLEFBHHSJGVHD","type":"webhooks.test_notification","event_id":"ac3ac95b-f97d-458c-a6e6-18981597e05f","created_at":"2022-07-13T20:30:59.037339943Z","data":{"type":"webhooks","id":"bc368e64-01aa-407e-b46e-3231809b1129"}}',
  },
  {
    source: 'standard-webhooks',
    from: 'standard-webhooks, libraries/javascript/src/webhook.test.ts',
    at: 1614265330000,
    credentials: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    body: '{"test": 2432232314}',
  },
  {
    source: 'stripe',
    from: 'stripe-dotnet, src/StripeTests/Services/Events/EventUtilityTest.cs',
    at: 1533204620000,
    credentials: { secret: 'webhook_secret' },
    headers: {
      'Stripe-Signature':
        't=1533204620,v1=2220f87ef101a04665f11cdf770523143f875572008577fa0f20882ddb9cc3c7,v0=63f3a72374a733066c4be69ed7f8e5ac85c22c9f0a6a612ab9a025a9e4ee7eef',
    },
    body: '{\n  "id": "evt_123",\n  "object": "event",\n  "account": "acct_123",\n  "api_version": "2017-05-25",\n  "created": 1533204620,\n  "data": {\n    "object": {\n      "id": "cus_123",\n      "object": "customer",\n      "created": 123456789,\n      "email": "test@stripe.com",\n      "livemode": false,\n      "metadata": {}\n    }\n  },\n  "livemode": false,\n  "pending_webhooks": 1,\n  "request": {\n    "id": "req_123",\n    "idempotency_key": "idempotency-key-123"\n  },\n  "type": "customer.created"\n}\n',
  },
  {
    source: 'stytch',
    from: 'svix-webhooks, javascript/src/webhook.test.ts',
    at: 1614265330000,
    credentials: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    headers: {
      'svix-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'svix-timestamp': '1614265330',
      'svix-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    body: '{"test": 2432232314}',
  },
  {
    source: 'svix',
    from: 'svix-webhooks, rust/src/webhooks.rs',
    at: 1649367553000,
    credentials: { secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' },
    headers: {
      'svix-id': 'msg_27UH4WbU6Z5A5EzD8u03UvzRbpk',
      'svix-timestamp': '1649367553',
      'svix-signature': 'v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=',
    },
    body: '{"email":"test@example.com","username":"test_user"}',
  },
  {
    source: 'twilio',
    from: 'twilio-node, spec/validation.spec.js',
    url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
    credentials: { secret: '12345' },
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'X-Twilio-Signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
    },
    body: 'CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212',
  },
  {
    source: 'twilio',
    from: 'twilio-python, tests/unit/test_request_validator.py',
    url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
    credentials: { secret: '12345' },
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'X-Twilio-Signature': 'IK+Dwps556ElfBT0I3Rgjkr1wJU=',
    },
    body: 'Sid=CA123&SidAccount=AC123&Digits=5678&Digits=1234&Digits=1234',
  },
  {
    source: 'twilio',
    from: 'twilio-node, spec/validation.spec.js, with a body hash',
    url: 'https://mycompany.com/myapp.php?foo=1&bar=2&bodySHA256=0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620',
    credentials: { secret: '12345' },
    headers: {
      'content-type': 'application/json',
      'X-Twilio-Signature': 'a9nBmqA0ju/hNViExpshrM61xv4=',
    },
    body: '{"property": "value", "boolean": true}',
  },
  {
    source: 'wechat-pay',
    from: 'wechatpay-go, core/notify/notify_test.go',
    at: 1624523846000,
    credentials: {
      public_key:
        '-----BEGIN CERTIFICATE-----\nMIIDVzCCAj+gAwIBAgIJANfOWdH1ItcBMA0GCSqGSIb3DQEBCwUAMEIxCzAJBgNV\nBAYTAlhYMRUwEwYDVQQHDAxEZWZhdWx0IENpdHkxHDAaBgNVBAoME0RlZmF1bHQg\nQ29tcGFueSBMdGQwHhcNMjEwNDI3MDg1NTIzWhcNMzEwNDI1MDg1NTIzWjBCMQsw\nCQYDVQQGEwJYWDEVMBMGA1UEBwwMRGVmYXVsdCBDaXR5MRwwGgYDVQQKDBNEZWZh\ndWx0IENvbXBhbnkgTHRkMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n2VCTd91fnUn73Xy9DLvt/V62TVxRTEEstVdeRaZ3B3leO0pldE806mXO4RwdHXag\nHQ4vGeZN0yqm++rDsGK+U3AH7kejyD2pXshNP9Cq5YwbptiLGtjcquw4HNxJQUOm\nDeJf2vg6byms9RUipiq4SzbJKqJFlUpbuIPDpSpWz10PYmyCNeDGUUK65E5h2B83\n4uxl1zNLYQCrkdBzb8oUxwYeP5a2DNxmjL5lsJML7DGr5znsevnoqGRwTm9fxCGf\ny8wus7hwKz6clt3Whmmda7UAdb1c08hEQFVRbF14AR73xbnd8N0obCWJPCbzMCtk\naSef4FdEEgEXJiw0VAJT8wIDAQABo1AwTjAdBgNVHQ4EFgQUT1c7nd/SUO76HSoZ\numNUJv1R5PwwHwYDVR0jBBgwFoAUT1c7nd/SUO76HSoZumNUJv1R5PwwDAYDVR0T\nBAUwAwEB/zANBgkqhkiG9w0BAQsFAAOCAQEAfTjxKRQMzNB/U6ZoCUS+BSNfa2Oh\n0plMN6ZuzwiVVZwg1jywvv5yv04koS7Pd4i9E4gt9ZBUQXlpq+A3oOCEEHNRR6b2\nkyazGRM7s0OP5X21WrbpSmKmU6K7hkfx30yYs08LVs/Q8DIhvaj1FCFeJzUCzYn/\nfHMq4tsbKO0dKAeydPM/nrUZBmaYQVKMVOORGLFjFKVO7JV6Kq/R86ouhjEPgJOe\n2xulNBUcjicqtZlBdEh/PWCYP2SpGVDclKm8jeo175T3EVAkdKzzmfpxtMmnMlmq\ncTJOU9TxuGvNASMtjj7pYIerTx+xgZDXEVBWFW9PjJ0TV06tCRsgSHItgg==\n-----END CERTIFICATE-----',
      public_key_serial: 'D7CE59D1F522D701',
    },
    headers: {
      'Wechatpay-Nonce': 'EcZ9Cmy4Xyx1i6RlJQzLcCyEqDa26NBz',
      'Wechatpay-Timestamp': '1624523846',
      'Wechatpay-Serial': 'D7CE59D1F522D701',
      'Wechatpay-Signature':
        'tJHIiIS9eB2hAYstmAmbbD3ZE5LiIm/Ug5tuL4fC0YOFRWIHV39UFIZXC0e9Wl6lBu6sKvkqDkzpqzBsVHyXFlbYZTOQrVdG4b6LfTnK4mikv9++ixJMd3vTf2yCqvBkh98zs3Ds5zsYQakzbcwhmw4fMJs4nPLws28H0UW9FjDR//rxELLwXvV1VEA1IBLX70xptjL8hrfUjEE8kkry6yNJTHZRU8CAc7qHli2Ng1V1qb9ARbK8A3ThmFmPQvRGrapI/jS2laKKgYUmfdEdkNO6B2Cke5e8VTxY406ArAmQ90GAihDwIcb16TQMnzCMBoutnwZKNiKRACrFmtxw2Q==',
    },
    body: '{"id":"3119dfba-e649-5eec-ab1e-3412bc4d2e17","create_time":"2021-06-24T16:37:26+08:00","resource_type":"encrypt-resource","event_type":"PAYSCORE.USER_OPEN_SERVICE","summary":"签约成功","resource":{"original_type":"payscore","algorithm":"AEAD_AES_256_GCM","ciphertext":"YDS3lKPaC4Y52Gf3uhft5qUBlIa8b428AWTtTauHQfQrRw+X1WpiuHIDy0vo1Vd6VEq67aVyqPdDYMkRVSDaZL3iZttevRMOoPKMifozg6XPWjIZumks/GpT48lI4NizyeaqLBokNebthah3o1H76qSlO9NkDjp9bzmKLEYYH9TEklFUpsvPqOTOcgSLgh21YJXYR7dEBXFgRLiNIKRgO5JdXh1hccRUAlyVWxE54PXpnQ==","associated_data":"payscore","nonce":"Kj7QIyUiYx1q"}}',
  },
]
