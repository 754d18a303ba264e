import { expect, it } from 'vitest';
import { useScriptedPhone } from '../../../../support/sip/scriptedPhone.ts';
import { eventually } from '../../../../support/time/waiting.ts';

const at = useScriptedPhone();

it('who calls during a call rings beside it, and during two hears busy: the telephone tells of both', async () => {
  await at().dials();
  at().pbx.invite([], 'second', { from: '"Grace" <sip:+15551230099@pbx.test>' });
  await at().pbx.hears(/^SIP\/2\.0 180 [^]*^Call-ID: second/m);
  await eventually(() =>
    expect(at().told.filter(([event]) => event === 'incoming')).toMatchObject([
      ['incoming', { phoneNumber: '+15551230099', displayName: 'Grace', sipCallId: 'second' }],
    ]),
  );
  at().pbx.invite([], 'third', { from: '<sip:+15551230098@pbx.test>' });
  await at().pbx.hears(/^SIP\/2\.0 486 [^]*^Call-ID: third/m);
  await eventually(() =>
    expect(at().told.filter(([event]) => event === 'turnedAway')).toMatchObject([
      ['turnedAway', { phoneNumber: '+15551230098', displayName: null, sipCallId: 'third' }],
    ]),
  );
  expect(at().told.some(([event]) => event === 'ended')).toBe(false);
});
