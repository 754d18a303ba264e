/** Log-ins that may fail, counted from the first one of a window; see docs/decisions/0025. */
export const loginLimits = {
  windowSeconds: 15 * 60,
  /** At one account, from one address. */
  perAccountAndAddress: 10,
  /** The same from an address that logged in to the account lately: its agent is there, and makes mistakes. */
  perKnownAddress: 30,
  /** At one account, from all addresses together that it does not know. */
  perAccount: 50,
  /** From one address, at all accounts that do not know it: an office behind one address shares it. */
  perAddress: 100,
  /** So long an account knows an address that logged in to it: a fortnight's leave. */
  knownForSeconds: 14 * 24 * 3600,
} as const;
