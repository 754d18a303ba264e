import type { CrmScreenPop } from '../../../../src/contract/socket.ts';

/** What is known of a customer, of whom something may be known of a call as well. */
export type ShownPop = Pick<CrmScreenPop, 'phone_number' | 'screen_pop'> & Partial<CrmScreenPop>;
