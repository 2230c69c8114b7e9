/** The version of this package, which a test holds to its manifest. */
export const VERSION = '0.1.0'
