/**
 * How often a company may aim its webhooks anew. Tests and the delivery log say exactly why nothing arrived, which an admin
 * needs to know; at this rate nobody maps a network by it. See docs/decisions/0023.
 */
export const webhookLimits = {
  tests: { limit: 20, windowSeconds: 10 * 60 },
  urlChanges: { limit: 20, windowSeconds: 10 * 60 },
} as const;
