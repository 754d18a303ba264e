import { LeftDialogStorage } from '../../../web/src/features/workplace/dialogStorage.ts';
import { type BreakableLine, openBreakableLine } from '../gateway/breakableLine.ts';
import type { TestAgent } from '../gateway/gateway.ts';
import { FakePbx } from '../sip/fakePbx.ts';
import type { WorkplaceRoom } from './workplaceRoom.ts';
import { type Desk, newTab } from './workplaces.ts';

/** What happens while a call is handed on, to the people and to what they work with. */
export const happenings = [
  'hand on',
  'ask first',
  'answer',
  'decline',
  'swap',
  'complete',
  'back',
  'ada hangs up',
  'ben hangs up',
  'customer leaves',
  'ada reloads',
  'ben reloads',
  'ada’s line breaks',
  'ben’s line breaks',
  'line is mended',
  'pbx changes its mind',
] as const;
export type Happening = (typeof happenings)[number];
type Who = 'ada' | 'ben';

/** Ada, who talks to a customer, and Ben, with lines that break, and pages that are loaded anew. */
export class TransferStory {
  readonly pbx = new FakePbx();
  readonly desks = {} as Record<Who, Desk>;
  readonly agents: Record<Who, TestAgent>;
  readonly #room: WorkplaceRoom;
  readonly #lines: Record<Who, BreakableLine>;
  readonly #tabs = { ada: newTab(), ben: newTab() };
  readonly #left: Record<Who, LeftDialogStorage>;

  private constructor(room: WorkplaceRoom, agents: Record<Who, TestAgent>, lines: Record<Who, BreakableLine>) {
    this.#room = room;
    this.agents = agents;
    this.#lines = lines;
    this.#left = {
      ada: new LeftDialogStorage(newTab().store, agents.ada.id),
      ben: new LeftDialogStorage(newTab().store, agents.ben.id),
    };
  }

  static async begin(room: WorkplaceRoom): Promise<TransferStory> {
    const agents = { ada: await room.someAgent(), ben: await room.someAgent() };
    const story = new TransferStory(room, agents, {
      ada: await openBreakableLine(room.gateway.url),
      ben: await openBreakableLine(room.gateway.url),
    });
    for (const who of ['ada', 'ben'] as const) {
      await story.#open(who).open();
      await story.desks[who].goReady();
    }
    await room.click(agents.ada).expect(201);
    await story.desks.ada.hasCall('dialing');
    story.desks.ada.phone.isAnswered();
    await story.desks.ada.hasCall('connected');
    return story;
  }

  #open(who: Who): Desk {
    const agent = this.agents[who];
    this.desks[who] = this.#room.deskOf(
      agent,
      {
        tab: this.#tabs[who],
        left: this.#left[who],
        newPhone: () => this.pbx.telephone(this.#room.extensionOf(agent)),
      },
      this.#lines[who].url,
    );
    return this.desks[who];
  }

  async #reload(who: Who): Promise<void> {
    this.desks[who].workplace.close();
    await this.#open(who).workplace.start();
  }

  async takes(happening: Happening): Promise<void> {
    const [ada, ben] = [this.desks.ada.workplace, this.desks.ben.workplace];
    switch (happening) {
      case 'hand on':
      case 'ask first':
        // Refused where that cannot be now; nobody waits for the answer.
        return void ada
          .transferTo(this.desks.ada.key, { agentId: this.agents.ben.id }, happening === 'ask first')
          .catch(() => undefined);
      case 'answer':
        return ben.answer();
      case 'decline':
        return ben.reject();
      case 'swap':
        return ada.setHeld(!ada.view().isHeld);
      case 'complete':
        return ada.completeConsult();
      case 'back':
        return ada.endConsult();
      case 'ada hangs up':
        return ada.hangUp();
      case 'ben hangs up':
        return ben.hangUp();
      case 'customer leaves':
        return this.pbx.customerLeaves();
      case 'ada reloads':
        return this.#reload('ada');
      case 'ben reloads':
        return this.#reload('ben');
      case 'ada’s line breaks':
        return this.#lines.ada.cut();
      case 'ben’s line breaks':
        return this.#lines.ben.cut();
      case 'line is mended':
        return this.mend();
      case 'pbx changes its mind':
        this.pbx.joins = !this.pbx.joins;
    }
  }

  /** All lines are there again. */
  mend(): void {
    for (const who of ['ada', 'ben'] as const) {
      this.#lines[who].mend();
      this.desks[who].workplace.hurry();
    }
  }

  /**
   * In what the gateway's records and states differ from who talks to whom at the PBX; nothing, once all has been told.
   */
  async differences(): Promise<string[]> {
    const { ada, ben } = this.agents;
    const { customer: where } = this.pbx;
    const isWith = (agent: TestAgent) => where !== 'gone' && where.at === this.#room.extensionOf(agent);
    const isAsked = this.pbx.asked.has(this.#room.extensionOf(ada));
    const expected = {
      ada: isWith(ada) ? [where !== 'gone' && where.isHeld ? 'held' : 'connected'] : [],
      ben: isWith(ben) ? ['connected'] : isAsked ? ['ringing', 'connected'] : [],
    };
    const found: string[] = [];
    for (const who of ['ada', 'ben'] as const) {
      const agent = this.agents[who];
      const calls = (await this.#room.callsOf(agent)).filter((call) => call.state !== 'ended');
      const state = await this.#room.stateOf(agent);
      const isRight =
        expected[who].length === 0 ? calls.length === 0 : calls.length === 1 && expected[who].includes(calls[0]!.state);
      if (!isRight) {
        found.push(
          `${who} has calls ${calls.map((call) => call.state).join(', ')} in place of ${expected[who].join(' or ')}`,
        );
      }
      if ((state === 'on_call' || state === 'reserved') !== calls.length > 0)
        found.push(`${who} is ${state} with ${calls.length} calls`);
    }
    if (isWith(ben) && (await this.#room.callsOf(ben))[0]?.trigger !== 'transfer')
      found.push('Ben’s call comes from nobody');
    const first = (await this.#room.callsOf(ada)).at(-1);
    const wasHandedOn = this.pbx.whereabouts.some((one) => one !== 'gone' && one.at === this.#room.extensionOf(ben));
    if ((first?.end_reason === 'transferred') !== wasHandedOn) {
      found.push(
        `Ada’s call ended as ${first?.end_reason ?? 'nothing'}, and was ${wasHandedOn ? '' : 'not '}handed on`,
      );
    }
    return found;
  }

  /** Everybody hangs up. */
  everybodyLeaves(): void {
    this.pbx.customerLeaves();
    for (const { workplace } of Object.values(this.desks)) workplace.hangUp();
  }

  async close(): Promise<void> {
    for (const { workplace } of Object.values(this.desks)) workplace.close();
    for (const line of Object.values(this.#lines)) await line.close();
  }
}
