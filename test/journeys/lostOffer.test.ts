import { expect, it } from 'vitest';
import { startGateway } from '../support/gateway/gateway.ts';
import { createManualClock } from '../support/time/manualClock.ts';
import { gate } from '../support/time/gate.ts';
import { passTime } from '../support/time/waiting.ts';

it('answers a click whose offer may be on its way only when the offer has expired, so that no pop comes after the failure', async () => {
  const clock = createManualClock(Date.now());
  const sent = gate();
  sent.shut();
  const gateway = await startGateway('memory', {
    clock,
    wrap: (services) => ({
      ...services,
      softphones: {
        ...services.softphones,
        offer: () => sent.pass(() => Promise.reject(new Error('the connection broke'))),
      },
    }),
  });
  try {
    const company = await gateway.company({ slug: 'lost-offer', agents: 1 });
    const [agent] = company.agents;
    if (agent === undefined) throw new Error('the company has an agent');
    const softphone = await gateway.readySoftphone(agent);
    const claimedAt = clock.now();
    let answeredAt = 0;
    const answered = gateway.click(company, { phone_number: '+15551230001' }).then((answer) => {
      answeredAt = clock.now();
      return answer;
    });
    sent.open();
    await passTime(clock, 0, () => answeredAt > 0);
    expect((await answered).status).toBeGreaterThanOrEqual(500);
    expect(answeredAt - claimedAt).toBeGreaterThanOrEqual(2_000);
    expect(softphone.agent?.state).toBe('ready');
  } finally {
    await gateway.close();
  }
});
