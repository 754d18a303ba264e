/** The calls of the interop job, in the order in which they are made: one test each, inside and outside. */
export const calls = [
  'to a customer who answers has sound both ways, and is completed by the agent',
  'that is put on hold and fetched back is held and connected again',
  'to a customer who hangs up is completed by the customer',
  'to a customer who talks already ends busy',
  'to a customer who declines ends rejected',
  'to a number that does not exist ends failed',
  'to a customer who does not answer in time ends without an answer',
  'to a customer who lets it ring too long is given up by the agent',
  'that a page fetches in vain after a reload is over for the customer, who is not called again',
  'of a customer is answered on the page, has sound both ways, and is completed by the agent',
  'of a customer who hangs up is completed by the customer',
  'of a customer who gives up before it is answered ends canceled',
  'of a customer whom the agent declines ends rejected',
] as const;

/** One of them. */
export type InteropCall = (typeof calls)[number];
