import { afterEach, beforeEach, describe, inject, it, vi } from 'vitest';
import { FuzzedPhone } from '../../../../support/sip/fuzz/fuzzedPhone.ts';
import { phoneDesk } from '../../../../support/sip/fuzz/phoneDesk.ts';
import { ScriptedPhone } from '../../../../support/sip/scriptedPhone.ts';
import { ScriptedPbx, standInForBrowser } from '../../../../support/sip/scriptedPbx.ts';

let window: EventTarget;
let pbx: ScriptedPbx;
let at: ScriptedPhone;
const troubles: string[] = [];
const uncaught = (error: unknown) =>
  void troubles.push(`uncaught: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);

beforeEach(async () => {
  troubles.length = 0;
  // What the SIP library fails at is caught, and told there.
  vi.spyOn(console, 'error').mockImplementation((error: unknown) => uncaught(error));
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  process.on('unhandledRejection', uncaught);
  window = standInForBrowser();
  pbx = await ScriptedPbx.open();
  at = new ScriptedPhone(pbx);
});
afterEach(async () => {
  await pbx.isLeftBy(() => at.phone.stop());
  await pbx.close();
  process.off('unhandledRejection', uncaught);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('a PBX that says what no PBX should', () => {
  it('is answered, rings or is told, and the phone works on', async () => {
    await at.isReady();
    const fuzzed = new FuzzedPhone(
      phoneDesk(at, window, () => troubles),
      pbx,
      inject('propertySeed'),
    );
    for (let scene = 0; fuzzed.count < 250; scene += 1) await fuzzed.play(scene);
    await fuzzed.comesThrough();
  });
});
