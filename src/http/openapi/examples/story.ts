/** Who and what the examples are about, the same in all of them and in docs/integrating/. */

export const companyId = '01a1fd9a-e2a1-7218-836b-6c618388d6c6';
export const callId = '01a1fd9b-08f4-7228-b43f-b1fbfa86f423';
export const contactId = '01a1f7c2-51d0-7c3e-9a44-0f6b2d9e8a17';
export const campaignId = '01a1e9b4-7e12-7d55-8c0a-3b9d1f24e6c0';
export const deliveryId = '01a1fd9b-20c7-7b1a-a6e2-9c1d40f7b835';

export const phone = '+15551230001';
export const ada = { id: '01a1fd9a-df87-7399-8f6d-f7f455797604', agent_code: 'a100', name: 'Ada Lindqvist' };
export const admin = { id: '01a1fd9a-df84-76de-b312-4c71c7114efc', agent_code: 'admin' };

/** What the CRM pushed of the customer. */
export const grace = {
  name: 'Grace Hopper',
  email: 'grace@mail.example',
  account_number: 'AC-1',
  open_tickets: 2,
  plan: 'pro',
};

/** What Ada sees of her. */
export const screenPop = {
  name: grace.name,
  phone,
  email: grace.email,
  vip_tier: 'gold',
  crm: grace,
  external_system: 'my-crm',
  external_id: 'C-1001',
};

/** The moments of the call. */
export const clickedAt = '2026-11-21T10:15:58.463Z';
export const ringingAt = '2026-11-21T10:15:58.911Z';
export const answeredAt = '2026-11-21T10:16:00.421Z';
export const endedAt = '2026-11-21T10:16:04.610Z';
export const wrappedUpAt = '2026-11-21T10:16:06.471Z';
export const callBackAt = '2026-11-23T09:00:00.000Z';
