import type supertest from 'supertest';
import type { Softphone } from '../../../src/client/softphone.ts';
import type { SessionTelephony, UpdateTelephonyRequest } from '../../../src/contract/telephony.ts';
import type { Gateway, TestAgent, TestCompany } from './gateway.ts';

/** The company's own PBX. */
export const pbx = {
  mode: 'sip',
  sip_wss_url: 'wss://pbx.example.com:7443/ws',
} as const satisfies UpdateTelephonyRequest;

/** Sets how a company telephones. */
export function putTelephony(
  gateway: Gateway,
  { adminToken }: TestCompany,
  body: UpdateTelephonyRequest,
): supertest.Test {
  return gateway.api.put('/api/telephony').set('authorization', `Bearer ${adminToken}`).send(body);
}

/** Changes an agent, e.g. the SIP account. */
export function patchAgent(
  gateway: Gateway,
  { adminToken }: TestCompany,
  agent: TestAgent,
  body: object,
): supertest.Test {
  return gateway.api.patch(`/api/agents/${agent.id}`).set('authorization', `Bearer ${adminToken}`).send(body);
}

/** A softphone that is connected. */
export async function connectedSoftphone(gateway: Gateway, agent: TestAgent): Promise<Softphone> {
  const softphone = gateway.softphone(agent);
  await softphone.connect();
  return softphone;
}

/** What a softphone is given to telephone with. */
export async function telephonyOf(softphone: Softphone): Promise<SessionTelephony> {
  return (await softphone.readSettings()).telephony;
}
