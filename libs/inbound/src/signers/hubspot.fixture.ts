/** What HubSpot’s three versions of a signature are made of. */

export const CONTACT_CREATION = [
  {
    eventId: 100,
    subscriptionId: 12345,
    portalId: 62515,
    occurredAt: 1564113600000,
    subscriptionType: 'contact.creation',
    attemptNumber: 0,
    objectId: 123,
  },
]
