/** Content types that several signers send. */

export const JSON_TYPE = { 'Content-Type': 'application/json' }
