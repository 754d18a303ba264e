import { expect, it } from 'vitest';
import { choose } from '../../../../../src/usecases/screenPops/chosenRecord.ts';
import { chosenPop } from '../../../../../web/src/features/admin/popLayout/chosenPop.ts';

const ada = {
  object: 'Contact',
  id: '1',
  name: 'Ada Byron',
  email: 'ada@mail.example',
  account_number: 'A-17',
  vip_tier: 'Hot',
  record_url: 'https://acme.example/1',
  crm: { plan: 'pro' },
};
const lead = {
  object: 'Lead',
  id: '2',
  name: 'Annabella Byron',
  email: null,
  account_number: null,
  vip_tier: null,
  record_url: null,
};
const several = { phone: '+14155552671', external_system: 'salesforce', candidates: [ada, lead] };

it.each([ada, lead])(
  'shows one of several records as the gateway does once an agent has chosen it: $object',
  (candidate) => {
    const chosen = choose(several, candidate);
    const expected = { ...chosen, crm: chosen.crm?.plain() };
    expect(chosenPop({ phone_number: several.phone, screen_pop: several, exact: { crm: '{}' } }, candidate)).toEqual({
      phone_number: several.phone,
      screen_pop: expected,
    });
  },
);
