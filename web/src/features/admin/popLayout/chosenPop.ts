import type { CrmCandidate } from '../../../../../src/contract/screenPops.ts';
import type { ShownPop } from '../../../shared/customerDetails/shownPop.ts';

/** The pop with one of its records as the customer, as the gateway makes it once an agent has chosen. */
export function chosenPop(
  { exact: _exact, ...pop }: ShownPop,
  { object, id, name, email, account_number, vip_tier, record_url, crm }: CrmCandidate,
): ShownPop {
  const { phone, external_system, candidates } = pop.screen_pop;
  const told = Object.entries({ name, email, account_number, ...crm }).filter(([, value]) => value !== null);
  return {
    ...pop,
    screen_pop: {
      ...(name === null ? {} : { name }),
      ...(email === null ? {} : { email }),
      ...(phone === undefined ? {} : { phone }),
      ...(external_system === undefined ? {} : { external_system }),
      ...(record_url === null ? {} : { record_url }),
      ...(candidates === undefined ? {} : { candidates }),
      vip_tier,
      crm: Object.fromEntries(told),
      external_id: id,
      external_object: object,
    },
  };
}
