import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { useBrowser } from '../../support/browser/browser.ts';
import { Chance } from '../../support/sip/fuzz/chance.ts';
import { testPatienceMs } from '../../support/time/pace.ts';
import { eventually } from '../../support/time/waiting.ts';
import { isFlat, memoryOf, type PageMemory } from './shift/pageMemory.ts';
import { callsPlanned, planShift } from './shift/plan.ts';
import { customersAgree, pair, recordsOf, stepsFit, tellWhatWasPlayed } from './shift/records.ts';
import { reportsAgree } from './shift/reports.ts';
import { recentCallsAgree, supervisorsPagesAgree } from './shift/screens.ts';
import { ShiftRoom } from './shift/shiftRoom.ts';
import { forgets, webhooksAgree } from './shift/shiftWebhooks.ts';
import { Shift } from './shift/shift.ts';

let room: ShiftRoom;

beforeAll(async () => {
  room = await ShiftRoom.open();
});
afterAll(() => room.close());

const browser = useBrowser({ profile: { size: 'desk' } });

/** By then a page has loaded all its parts. */
const callsBeforeLook = 15;
/** Many calls, each with its own waits. */
const timeout = 4 * testPatienceMs();

it(
  'a shift of 60 calls leaves records, reports, webhooks and screens that agree, and pages that have not grown',
  { timeout },
  async () => {
    const seed = inject('propertySeed');
    const chance = new Chance(`shift ${String(seed)}`);
    forgets(room.receiver, new Chance(`webhooks ${String(seed)}`));
    // What a page says whose line is cut, or whose network is gone.
    browser.allowTrouble(/WebSocket connection to .* failed|ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/);
    const shift = await Shift.begin(room, browser);
    expect(callsPlanned).toBe(60);
    let early: { memory: PageMemory; calls: number } | null = null;
    for (const spell of planShift(chance)) {
      await shift.play(spell);
      if (room.ledger.calls.length >= callsBeforeLook)
        early ??= { memory: await memoryOf(shift.ada.page), calls: room.callsOf(shift.ada.agent) };
    }
    expect(room.pbx.problems).toEqual([]);
    await eventually(() => expect(room.pbx.callCount, 'dialogs that last').toBe(0));

    const records = await recordsOf(room);
    const pairs = pair(room.ledger.calls, records);
    tellWhatWasPlayed(pairs);
    await stepsFit(room, pairs);
    customersAgree(room.pbx.customers, pairs);
    await reportsAgree(room, room.ledger.calls, records);
    await webhooksAgree(room.receiver, records);
    for (const seat of [shift.ada, shift.ben]) await recentCallsAgree(seat, records);
    await supervisorsPagesAgree(room, browser, records);

    if (early === null) throw new Error('nobody has looked at the page');
    await isFlat(shift.ada.page, early.memory, room.callsOf(shift.ada.agent) - early.calls);
    expect((await memoryOf(shift.ben.page)).openPeers).toBe(0);
  },
);
