import type { DemoCustomer } from '../contract/demo.ts';
import type { InboundPush } from '../contract/screenPops.ts';
import { behaviourOf } from './carrier/numbers.ts';

const rows = [
  { phone: '+15551230001', name: 'Grace Hopper', company: 'Flow-Matic Labs', tier: 'gold', tickets: 2 },
  { phone: '+15551230486', name: 'Alan Turing', company: 'Bletchley Instruments', tier: 'silver', tickets: 0 },
  { phone: '+15551230408', name: 'Katherine Johnson', company: 'Langley Orbits', tier: 'platinum', tickets: 1 },
  { phone: '+15551230603', name: 'Edsger Dijkstra', company: 'Shortest Path Logistics', tier: null, tickets: 0 },
  { phone: '+15551230002', name: 'Hedy Lamarr', company: 'Spread Spectrum Radio', tier: 'gold', tickets: 3 },
] as const;

/** The customers of the demo CRM, one for each thing that can become of a call. */
export const demoCustomers: readonly DemoCustomer[] = rows.map(({ phone, name, company, tier }) => ({
  phone_number: phone,
  name,
  company,
  tier,
  behaviour: behaviourOf(phone),
}));

/** The same as the CRM pushes them. */
export const demoPushes: readonly InboundPush[] = rows.map(({ phone, name, company, tier, tickets }, index) => ({
  phone_number: phone,
  data: {
    name,
    email: `${name.toLowerCase().replace(' ', '.')}@customers.example`,
    account_number: `D-100${String(index + 1)}`,
    open_tickets: tickets,
    company,
  },
  external_system: 'demo-crm',
  external_id: `demo-${String(index + 1)}`,
  ...(tier === null ? {} : { tier }),
}));
