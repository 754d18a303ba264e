import { expect, it } from 'vitest';
import { useScriptedPhone } from '../../../../support/sip/scriptedPhone.ts';
import { eventually } from '../../../../support/time/waiting.ts';

const at = useScriptedPhone();
const ended = () => at().told.filter(([event]) => event === 'ended');

it('who calls is passed on by a 302 that names whom to call at the telephone network, as dialed there', async () => {
  await at().isReady();
  at().pbx.invite();
  await eventually(() => at().call !== null);
  at().call?.passOn('+15551230009');
  at().call?.passOn('1003');
  const answer = await at().pbx.hears(/^SIP\/2\.0 302 /);
  expect(answer).toMatch(/^Contact: <sip:\+15551230009@pbx\.test>\r$/m);
  await eventually(() =>
    expect(ended()).toEqual([
      ['ended', { reason: 'canceled', endedBy: 'agent', detail: 'passed_on', transferredTo: '+15551230009' }],
    ]),
  );
  expect(at().pbx.told.filter((text) => text.startsWith('SIP/2.0 302 '))).toHaveLength(1);
});

it.each(['*72#', '10 02>\r\nX-Own: 1', 'sip:eve@elsewhere.test'])(
  'whom it is passed on to is a user of the telephone network, whatever is written: %j',
  async (written) => {
    await at().isReady();
    at().pbx.invite();
    await eventually(() => at().call !== null);
    at().call?.passOn(written);
    const answer = await at().pbx.hears(/^SIP\/2\.0 302 /);
    expect(answer.match(/^Contact: .*$/gm)).toEqual([expect.stringMatching(/^Contact: <sip:[^@<>\s]+@pbx\.test>$/)]);
    expect(answer).not.toMatch(/^X-Own/m);
  },
);

it('nobody is passed on who is talked to, or is called', async () => {
  await at().dials();
  at().call?.passOn('1002');
  expect(at().pbx.told.some((text) => text.includes('302'))).toBe(false);
  expect(ended()).toEqual([]);
  expect(at().dialog).not.toBeNull();
});
