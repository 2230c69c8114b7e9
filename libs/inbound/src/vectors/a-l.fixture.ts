/** Vectors of the platforms of A to L. Atlassian Connect's, of a part of its token only, stand in odd/atlassian-connect.test.ts. */
import type { Vector } from './vector.fixture.ts'

export const aToL: readonly Vector[] = [
  {
    source: 'adyen',
    from: 'Adyen’s documents, verify HMAC signatures',
    credentials: { secret: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056' },
    headers: {},
    body: '{"notificationItems":[{"NotificationRequestItem":{"pspReference":"7914073381342284","merchantAccountCode":"TestMerchant","merchantReference":"TestPayment-1407325143704","amount":{"value":1130,"currency":"EUR"},"eventCode":"AUTHORISATION","success":"true","additionalData":{"hmacSignature":"coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0="}}}]}',
  },
  {
    source: 'adyen',
    from: 'adyen-node-api-library, src/__tests__/hmacValidator.spec.ts',
    credentials: { secret: 'DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00' },
    headers: {},
    body: '{"notificationItems": [{"NotificationRequestItem": {"pspReference": "pspReference", "originalReference": "originalReference", "merchantAccountCode": "merchantAccount", "merchantReference": "reference", "amount": {"value": 1000, "currency": "EUR"}, "eventCode": "EVENT", "success": "true", "additionalData": {"hmacSignature": "ipnxGCaUZ4l8TUW75a71/ghd2Fe5ffvX0pV4TLTntIc="}}}]}',
  },
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
  {
    source: 'authorize-net',
    from: 'a delivery shown in the Authorize.Net developer community, 2017-03-08',
    credentials: {
      secret:
        '2679A5D5785C9B26CF921E1754765CDDB265C9C88400786923E5343B315954FAFB4B7BF608818F6A21766741E8637DC206F286C725908C777ED4127D8562163D',
    },
    headers: {
      'X-ANET-Signature':
        'sha512=9607C69D2734514554CE13D923D19939563F2FD6567D239F49F0DF0D08865632A0FB98061B4620CC52C47BB8BF6E2B69A15A67E4C98E81D7D65111076C515C6A',
    },
    body: '{"notificationId":"f813b98f-3552-4eeb-ba40-acb4704eeba3","eventType":"net.authorize.payment.authcapture.created","eventDate":"2017-03-08T17:35:37.155999Z","webhookId":"63d6fea2-aa13-4b1d-a204-f5fbc15942b7","payload":{"responseCode":1,"authCode":"8VTPDC","avsResponse":"Y","authAmount":10.00,"entityName":"transaction","id":"60019392075"}}',
  },
  {
    source: 'bamboohr',
    from: 'fusebit/integrations, bamboohr-connector, test/webhook.test.ts',
    at: 1658248023000,
    credentials: { secret: '123b929362d51613054f71e5e5d4bf2c' },
    headers: {
      'X-BambooHR-Timestamp': '1658248023',
      'X-BambooHR-Signature': '56491dd9c2b352bc5f4fc627159aae20ddff9c8cb19f239a6de6771dc5310bac',
    },
    body: '{"employees":[{"changedFields":["First name"],"fields":{"Employee #":{"value":"300"},"First name":{"value":"Tefi"},"Last name":{"value":"Adams"}},"id":"5"}]}',
  },
  {
    source: 'bitbucket',
    from: 'Bitbucket Cloud’s documents, manage webhooks',
    credentials: { secret: "It's a Secret to Everybody" },
    headers: {
      'X-Hub-Signature': 'sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9',
    },
    body: 'Hello World!',
  },
  {
    source: 'braintree',
    from: 'braintree_python, tests/unit/test_webhooks.py',
    method: 'GET',
    url: '?bt_challenge=20f9f8ed05f77439fe955c977e4c8a53',
    credentials: { public_key: 'integration_public_key', private_key: 'integration_private_key' },
    headers: {},
    body: '',
    answer: 'integration_public_key|d9b899556c966b3f06945ec21311865d35df3ce4',
  },
  {
    source: 'checkr',
    from: 'checkr/webhook-verification-examples, verify_signature.py',
    credentials: { secret: 'test-secret' },
    headers: {
      'X-Checkr-Signature': 'b7412f05e981a473b5ecbdb5393afaea02a679db6d7c8e56803512ec4ba98151',
    },
    body: '{"monday":"75F","tuesday":"80F"}',
  },
  {
    source: 'clerk',
    from: 'svix/svix-webhooks, javascript/src/webhook.test.ts',
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
    source: 'cloudinary',
    from: 'pycloudinary, test/test_utils.py',
    at: 0,
    credentials: { secret: 'someApiSecret', algorithm: 'sha256' },
    headers: {
      'X-Cld-Timestamp': '0',
      'X-Cld-Signature': 'd5497e1a206ad0ba29ad09a7c0c5f22e939682d15009c15ab3199f62fefbd14b',
    },
    body: '{}',
  },
  {
    source: 'coinbase-commerce',
    from: 'coinbase-commerce-node, test/testWebhook.spec.js',
    credentials: { secret: '30291a20-0bd1-4267-9b0f-e6e7b123c0bf' },
    headers: {
      'X-CC-Webhook-Signature': '8be7742c7d372f08a6a3224edadf18a22b65fa9e28f3f2de97376cdaa092590d',
    },
    body: '{"id":1,"scheduled_for":"2017-01-31T20:50:02Z","attempt_number":1,"event":{"id":"24934862-d980-46cb-9402-43c81b0cdba6","type":"charge:created","api_version":"2018-03-22","created_at":"2017-01-31T20:49:02Z","data":{"code":"66BEOV2A","name":"The Sovereign Individual","description":"Mastering the Transition to the Information Age","hosted_url":"https://commerce.coinbase.com/charges/66BEOV2A","created_at":"2017-01-31T20:49:02Z","expires_at":"2017-01-31T21:04:02Z","timeline":[{"time":"2017-01-31T20:49:02Z","status":"NEW"}],"metadata":{},"pricing_type":"no_price","payments":[],"addresses":{"bitcoin":"0000000000000000000000000000000000","ethereum":"0x0000000000000000000000000000000000000000","litecoin":"3000000000000000000000000000000000","bitcoincash":"bitcoincash:000000000000000000000000000000000000000000"}}}}',
  },
  {
    source: 'easypost',
    from: 'EasyPost/examples, official/fixtures',
    credentials: { secret: 'sécret' },
    headers: {
      'X-Hmac-Signature':
        'hmac-sha256-hex=38f3f53c103713df81616a0a186d77141957323ec21d5fe9363db93840f527db',
    },
    body: '{"description":"tracker.updated","mode":"production","previous_attributes":{"status":"in_transit"},"created_at":"2024-08-02T19:26:52.000Z","pending_urls":["https://example.com/easypost"],"completed_urls":[],"updated_at":"2024-08-02T19:26:52.000Z","id":"evt_1","user_id":"user_1","status":"pending","object":"Event","result":{"id":"trk_1","object":"Tracker","mode":"production","tracking_code":"1","status":"in_transit","status_detail":"arrived_at_facility","created_at":"2024-07-31T14:45:27Z","updated_at":"2024-08-02T19:26:51Z","signed_by":null,"weight":614.4,"est_delivery_date":"2024-08-05T00:00:00Z","shipment_id":null,"carrier":"FedEx","tracking_details":[{"object":"TrackingDetail","message":"Shipment information sent to FedEx","description":"Shipment information sent to FedEx","status":"pre_transit","status_detail":"label_created","datetime":"2024-07-31T15:00:00Z","source":"FedEx","carrier_code":"OC","tracking_location":{"object":"TrackingLocation","city":null,"state":null,"country":"US","zip":"32837"}},{"object":"TrackingDetail","message":"Picked up","description":"Picked up","status":"in_transit","status_detail":"arrived_at_facility","datetime":"2024-07-31T19:27:00Z","source":"FedEx","carrier_code":"PU","tracking_location":{"object":"TrackingLocation","city":"ORLANDO","state":"FL","country":"US","zip":"32809"}},{"object":"TrackingDetail","message":"Arrived at FedEx location","description":"Arrived at FedEx location","status":"in_transit","status_detail":"arrived_at_facility","datetime":"2024-07-31T22:35:00Z","source":"FedEx","carrier_code":"AR","tracking_location":{"object":"TrackingLocation","city":"ORLANDO","state":"FL","country":"US","zip":"32809"}},{"object":"TrackingDetail","message":"Departed FedEx location","description":"Departed FedEx location","status":"in_transit","status_detail":"departed_facility","datetime":"2024-08-01T14:42:13Z","source":"FedEx","carrier_code":"DP","tracking_location":{"object":"TrackingLocation","city":"ORLANDO","state":"FL","country":"US","zip":"32809"}},{"object":"TrackingDetail","message":"On the way","description":"On the way","status":"in_transit","status_detail":"unknown","datetime":"2024-08-02T02:46:19Z","source":"FedEx","carrier_code":"IT","tracking_location":{"object":"TrackingLocation","city":"KENLY","state":"NC","country":"US","zip":"27542"}},{"object":"TrackingDetail","message":"On the way","description":"On the way","status":"in_transit","status_detail":"unknown","datetime":"2024-08-02T18:35:20Z","source":"FedEx","carrier_code":"IT","tracking_location":{"object":"TrackingLocation","city":"EDISON TWP","state":"NJ","country":"US","zip":"08817"}},{"object":"TrackingDetail","message":"Arrived at FedEx location","description":"Arrived at FedEx location","status":"in_transit","status_detail":"arrived_at_facility","datetime":"2024-08-02T18:50:00Z","source":"FedEx","carrier_code":"AR","tracking_location":{"object":"TrackingLocation","city":"EDISON","state":"NJ","country":"US","zip":"08817"}}],"carrier_detail":{"object":"CarrierDetail","service":"FEDEX_GROUND","container_type":null,"est_delivery_date_local":"2024-08-05","est_delivery_time_local":null,"origin_location":"ORLANDO FL US","origin_tracking_location":{"object":"TrackingLocation","city":"ORLANDO","state":"FL","country":"US","zip":"32809"},"destination_location":"BROOKLYN HGTS NY US","destination_tracking_location":null,"guaranteed_delivery_date":null,"alternate_identifier":null,"initial_delivery_attempt":null},"finalized":false,"is_return":false,"public_url":"https://track.easypost.com/1"}}',
  },
  {
    source: 'formstack',
    from: 'hookdeck/webhook-skills, a captured delivery',
    credentials: { secret: 'test1' },
    headers: {
      'X-FS-Signature': 'sha256=30dff7f180b6d69eab397a5d51719474df490b730514c253e8b5832d3b51b970',
    },
    body: 'FormID=6606394&UniqueID=1500878955&HandshakeKey=test',
  },
  {
    source: 'github',
    from: 'GitHub’s documents, validating webhook deliveries',
    credentials: { secret: "It's a Secret to Everybody" },
    headers: {
      'X-Hub-Signature-256':
        'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    },
    body: 'Hello, World!',
  },
  {
    source: 'github',
    from: 'octokit/webhooks-methods.js, test/verify.test.ts',
    credentials: { secret: 'mysecret' },
    headers: {
      'X-Hub-Signature-256':
        'sha256=4864d2759938a15468b5df9ade20bf161da9b4f737ea61794142f3484236bda3',
    },
    body: '{"foo":"bar"}',
  },
  {
    source: 'hellosign',
    from: 'hellosign/dropbox-sign-python, tests/test_event_callback_helper.py',
    credentials: { secret: '324e3b0840f065eb51f3fd63231d0d33daa35d4ed10d27718839e81737065782' },
    headers: { 'content-type': 'application/json' },
    body: '{"account_guid":"63522885f9261e2b04eea043933ee7313eb674fd","event":{"event_time":"1348177752","event_type":"account_confirmed","event_hash":"6dc5b7aad93cf54915e0089d6c31d61b3833f66f51459171c69f8fa211308848","event_metadata":{"related_signature_id":"ad4d8a769b555fa5ef38691465d426682bf2c992","reported_for_account_id":"63522885f9261e2b04eea043933ee7313eb674fd"}}}',
  },
  {
    source: 'hellosign',
    from: 'hellosign/dropbox-sign-python, tests/test_event_callback_helper.py',
    credentials: { secret: '324e3b0840f065eb51f3fd63231d0d33daa35d4ed10d27718839e81737065782' },
    headers: { 'content-type': 'application/json' },
    body: '{"account_guid":"63522885f9261e2b04eea043933ee7313eb674fd","event":{"event_time":"1348177752","event_type":"unknown_error","event_hash":"c574f5d3090c2936360b4e36cf6835cf3e2206b84fdc6347e6b28ca721ae1371","event_metadata":{"related_signature_id":"ad4d8a769b555fa5ef38691465d426682bf2c992","reported_for_account_id":"63522885f9261e2b04eea043933ee7313eb674fd"}}}',
  },
  {
    source: 'hubspot-v1',
    from: 'HubSpot/hubspot-api-nodejs, test/unit/signature.spec.ts',
    credentials: { secret: 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy' },
    headers: {
      'X-HubSpot-Signature-Version': 'v1',
      'X-HubSpot-Signature': '232db2615f3d666fe21a8ec971ac7b5402d33b9a925784df3ca654d05f4817de',
    },
    body: '[{"eventId":1,"subscriptionId":12345,"portalId":62515,"occurredAt":1564113600000,"subscriptionType":"contact.creation","attemptNumber":0,"objectId":123,"changeSource":"CRM","changeFlag":"NEW","appId":54321}]',
  },
  {
    source: 'hubspot-v2',
    from: 'HubSpot/hubspot-api-nodejs, test/unit/signature.spec.ts',
    method: 'GET',
    credentials: {
      secret: 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy',
      webhook_url: 'https://www.example.com/webhook_uri',
    },
    headers: {
      'X-HubSpot-Signature-Version': 'v2',
      'X-HubSpot-Signature': 'eee2dddcc73c94d699f5e395f4b9d454a069a6855fbfa152e91e88823087200e',
    },
    body: '',
  },
  {
    source: 'hubspot-v2',
    from: 'HubSpot/hubspot-api-nodejs, test/unit/signature.spec.ts',
    method: 'POST',
    credentials: {
      secret: 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy',
      webhook_url: 'https://www.example.com/webhook_uri',
    },
    headers: {
      'X-HubSpot-Signature-Version': 'v2',
      'X-HubSpot-Signature': '9569219f8ba981ffa6f6f16aa0f48637d35d728c7e4d93d0d52efaa512af7900',
    },
    body: '{"example_field":"example_value"}',
  },
  {
    source: 'jira',
    from: 'Atlassian’s documents, the example that Bitbucket shares',
    credentials: { secret: "It's a Secret to Everybody" },
    headers: {
      'X-Hub-Signature': 'sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9',
    },
    body: 'Hello World!',
  },
  {
    source: 'lithic',
    from: 'lithic-python, tests/api_resources/test_webhooks.py',
    at: 1676312382000,
    credentials: { secret: 'whsec_zlFsbBZ8Xcodlpcu6NDTdSzZRLSdhkst' },
    headers: {
      'webhook-id': 'msg_2Lh9KRb0pzN4LePd3XiA4v12Axj',
      'webhook-timestamp': '1676312382',
      'webhook-signature': 'v1,Dwa0AHInLL3XFo2sxcHamOQDrJNi7F654S3L6skMAOI=',
    },
    body: '{"card_token":"sit Lorem ipsum, accusantium repellendus possimus","created_at":"elit. placeat libero architecto molestias, sit","account_token":"elit.","issuer_decision":"magnam, libero esse Lorem ipsum magnam, magnam,","tokenization_attempt_id":"illum dolor repellendus libero esse accusantium","wallet_decisioning_info":{"device_score":"placeat architecto"},"digital_wallet_token_metadata":{"status":"reprehenderit dolor","token_requestor_id":"possimus","payment_account_info":{"account_holder_data":{"phone_number":"libero","email_address":"nobis molestias, veniam culpa! quas elit. quas libero esse architecto placeat"},"pan_unique_reference":"adipisicing odit magnam, odit"}}}',
  },
]
