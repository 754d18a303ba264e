/** The calls with telephones that others have written, in the order in which they are made: one test each. */
export const foreignCalls = [
  'of a customer at baresip has sound and keys, is held and fetched back, and is completed by the customer',
  'of a customer at linphone who holds it says so on the page, and is heard both ways again',
  'to a customer at baresip is handed on to a colleague at linphone, without the agent from then on',
  'to a customer at linphone is handed on after a talk with a colleague at linphone, without the agent from then on',
  'to a customer at baresip is handed on after a talk, though baresip does not know how to take a place',
  'to a customer at baresip goes on after a talk with a colleague at linphone, and one of all three',
  'to a customer at baresip is the agent’s again when the colleague at linphone declines the talk',
  'to a customer at baresip is the agent’s again when the colleague to whom it is handed on declines',
] as const;

/** One of them. */
export type ForeignCall = (typeof foreignCalls)[number];
