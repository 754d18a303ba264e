/** The calls of the interop job, in the order in which they are made: one test each, inside and outside. */
export const calls = [
  'to a customer who answers has sound both ways, and is completed by the agent',
  'whose voice is dropped on its way says so and has sound again by another way',
  'whose agent moves to another address has sound again',
  'whose media relay dies has sound again by the one after it',
  'to a carrier without a free line ends as it was told',
  'that is put on hold and fetched back is held and connected again',
  'to a customer who hangs up is completed by the customer',
  'to a customer who talks already ends busy',
  'to a customer who declines ends rejected',
  'to a number that does not exist ends failed',
  'to a customer who does not answer in time ends without an answer',
  'to a customer who lets it ring too long is given up by the agent',
  'that the customer puts on hold, and fetches back by an UPDATE, says so on the page',
  'that the customer refers to somebody else goes on with them as the same call',
  'whose place another telephone takes goes on there as the same call',
  'that a page fetches in vain after a reload is over for the customer, who is not called again',
  'of a customer is answered on the page, has sound both ways, and is completed by the agent',
  'of a customer who hangs up is completed by the customer',
  'of a customer who gives up before it is answered ends canceled',
  'of a customer whom the agent declines ends rejected',
  // Last, as the network goes on looking for that customer.
  'whose customer vanishes tells the agent that nothing is heard',
] as const;

/** Those that need a network in which packets may be dropped and addresses changed. */
export const needOwnNetwork: readonly string[] = calls.slice(1, 3);

/** One of them. */
export type InteropCall = (typeof calls)[number];
