import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Softphone } from '../../src/client/softphone.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { inState } from '../support/gateway/softphoneEvents.ts';

const agents = 6;
const mostClicks = 9;
/** Every number of Ready agents with every number of clicks. */
const pairs = (agents + 1) * mostClicks;

type Answer = { status: number; body: { code?: string; call_id: string; agent: { id: string } } };

/** Over connections that stay open: thousands of clicks do not have to shake hands. */
async function click(gateway: Gateway, { key }: TestCompany): Promise<Answer> {
  const response = await fetch(`${gateway.url}/api/integrations/cti/click-to-dial`, {
    method: 'POST',
    headers: { 'X-Service-Api-Key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ phone_number: '+15551230001' }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

describe.each(['memory', 'redis'] as const)('the allocation of clicks (%s)', (storage) => {
  let gateway: Gateway;
  let company: TestCompany;
  let softphones: Softphone[];
  const popped = new Map<string, number>();

  beforeAll(async () => {
    gateway = await startGateway(storage);
    company = await gateway.company({ slug: 'allocation', agents, wrapUpSeconds: 0 });
    softphones = company.agents.map((agent) => gateway.softphone(agent));
    for (const softphone of softphones) {
      await softphone.connect();
      softphone.on('pop', (pop) => popped.set(pop.call_id, (popped.get(pop.call_id) ?? 0) + 1));
    }
  });

  afterAll(() => gateway.close());

  it('gives exactly min(M, N) of M clicks on N Ready agents a 201 with one pop each, and the rest a 503', () =>
    giveEach(pairs));
  it('does so over a thousand times', { tags: 'full' }, () => giveEach(16 * pairs));

  async function giveEach(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      const ready = softphones.slice(0, round % (agents + 1));
      const clicks = 1 + ((round * 7) % mostClicks);
      await Promise.all(ready.map((softphone) => softphone.setReady()));
      popped.clear();

      const answers = await Promise.all(Array.from({ length: clicks }, () => click(gateway, company)));
      const dialed = answers.filter((answer) => answer.status === 201).map((answer) => answer.body);
      const refused = answers.filter((answer) => answer.status !== 201);
      expect({ round, dialed: dialed.length }).toEqual({ round, dialed: Math.min(clicks, ready.length) });
      expect(refused.map((answer) => [answer.status, answer.body.code])).toEqual(
        refused.map(() => [503, 'no_ready_agent']),
      );
      expect(new Set(dialed.map((answer) => answer.agent.id)).size).toBe(dialed.length);
      expect([...popped.entries()].sort()).toEqual(dialed.map((answer) => [answer.call_id, 1]).sort());

      await Promise.all(
        dialed.map(async ({ call_id, agent }) => {
          const softphone = softphones[company.agents.findIndex(({ id }) => id === agent.id)];
          if (softphone === undefined) throw new Error('the dial came from no softphone of the test');
          await softphone.reportProgress(call_id, 'ended', { end_reason: 'busy' });
        }),
      );
      await Promise.all(ready.map((softphone) => softphone.setNotReady()));
    }
    for (const softphone of softphones) await inState(softphone, 'not_ready');
  }
});
