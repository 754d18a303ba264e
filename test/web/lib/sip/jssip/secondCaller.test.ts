import { expect, it } from 'vitest';
import { useScriptedPhone } from '../../../../support/sip/scriptedPhone.ts';
import { eventually } from '../../../../support/time/waiting.ts';

const at = useScriptedPhone();

it('who calls during a call hears that the agent is busy, and the telephone tells who it was', async () => {
  await at().dials();
  at().pbx.invite([], 'second', { from: '"Grace" <sip:+15551230099@pbx.test>' });
  await at().pbx.hears(/^SIP\/2\.0 486 [^]*^Call-ID: second/m);
  await eventually(() =>
    expect(at().told.filter(([event]) => event === 'turnedAway')).toMatchObject([
      ['turnedAway', { phoneNumber: '+15551230099', displayName: 'Grace', sipCallId: 'second' }],
    ]),
  );
  expect(at().told.some(([event]) => event === 'incoming' || event === 'ended')).toBe(false);
});
