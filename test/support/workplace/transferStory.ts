import fc from 'fast-check';
import { LeftDialogStorage } from '../../../web/src/features/workplace/dialogStorage.ts';
import { type BreakableLine, openBreakableLine } from '../gateway/breakableLine.ts';
import type { TestAgent } from '../gateway/gateway.ts';
import { FakePbx, PbxPhone } from '../sip/fakePbx.ts';
import { eventually } from '../time/waiting.ts';
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
  'ada’s telephone fails',
  'ben’s telephone fails',
] as const;
export type Happening = (typeof happenings)[number] | 'the gateway is killed';
type Who = 'ada' | 'ben';

/** With which of them a story begins. */
export const beginnings = fc.constantFrom('hand on' as const, 'ask first' as const);

/** A gateway to which the pages are connected, until `kill` has ended it and its lease. */
export type Doomed = { url: string; kill: () => Promise<void> };

/** Ada, who talks to a customer, and Ben, with lines that break, and pages that are loaded anew. */
export class TransferStory {
  readonly #pbx = new FakePbx();
  readonly #desks = {} as Record<Who, Desk>;
  readonly #agents: Record<Who, TestAgent>;
  readonly #room: WorkplaceRoom;
  readonly #lines: Record<Who, BreakableLine>;
  #doomed: Doomed | null;
  readonly #tabs = { ada: newTab(), ben: newTab() };
  readonly #left: Record<Who, LeftDialogStorage>;

  private constructor(
    room: WorkplaceRoom,
    agents: Record<Who, TestAgent>,
    lines: Record<Who, BreakableLine>,
    doomed: Doomed | null,
  ) {
    this.#room = room;
    this.#doomed = doomed;
    this.#agents = agents;
    this.#lines = lines;
    this.#left = {
      ada: new LeftDialogStorage(newTab().store, agents.ada.id),
      ben: new LeftDialogStorage(newTab().store, agents.ben.id),
    };
  }

  /** @param doomed null: they are connected to the room's gateway, which stays */
  static async begin(room: WorkplaceRoom, doomed: Doomed | null = null): Promise<TransferStory> {
    const agents = { ada: await room.someAgent(), ben: await room.someAgent() };
    const { url } = doomed ?? room.gateway;
    const lines = { ada: await openBreakableLine(url), ben: await openBreakableLine(url) };
    const story = new TransferStory(room, agents, lines, doomed);
    for (const who of ['ada', 'ben'] as const) {
      await story.#open(who).open();
      await story.#desks[who].goReady();
    }
    await room.click(agents.ada).expect(201);
    await story.#desks.ada.hasCall('dialing');
    story.#desks.ada.phone.isAnswered();
    await story.#desks.ada.hasCall('connected');
    return story;
  }

  #open(who: Who): Desk {
    const agent = this.#agents[who];
    this.#desks[who] = this.#room.deskOf(
      agent,
      {
        tab: this.#tabs[who],
        left: this.#left[who],
        newPhone: () => this.#pbx.telephone(this.#room.extensionOf(agent)),
      },
      this.#lines[who].url,
    );
    return this.#desks[who];
  }

  async #reload(who: Who): Promise<void> {
    this.#desks[who].workplace.close();
    await this.#open(who).workplace.start();
  }

  async #takes(happening: Happening): Promise<void> {
    const [ada, ben] = [this.#desks.ada.workplace, this.#desks.ben.workplace];
    switch (happening) {
      case 'hand on':
      case 'ask first':
        // Refused where that cannot be now; nobody waits for the answer.
        return void ada
          .transferTo(this.#desks.ada.key, { agentId: this.#agents.ben.id }, happening === 'ask first')
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
        return this.#pbx.customerLeaves();
      case 'ada reloads':
        return this.#reload('ada');
      case 'ben reloads':
        return this.#reload('ben');
      case 'ada’s line breaks':
        return this.#lines.ada.cut();
      case 'ben’s line breaks':
        return this.#lines.ben.cut();
      case 'line is mended':
        return this.#mend();
      case 'pbx changes its mind':
        this.#pbx.joins = !this.#pbx.joins;
        return;
      case 'ada’s telephone fails':
        return this.#telephoneFails('ada');
      case 'ben’s telephone fails':
        return this.#telephoneFails('ben');
      case 'the gateway is killed':
        return this.#killGateway();
    }
  }

  /** Nothing comes through any more: whatever call there is at it ends. */
  #telephoneFails(who: Who): void {
    const { phone } = this.#desks[who];
    if (phone instanceof PbxPhone && !phone.isFree) phone.ends({ reason: 'failed', detail: 'voice_lost' });
  }

  /** The pages are given the other gateway, once. */
  async #killGateway(): Promise<void> {
    await this.#doomed?.kill();
    this.#doomed = null;
    for (const line of Object.values(this.#lines)) line.leadTo(this.#room.gateway.url);
  }

  /** All lines are there again. */
  #mend(): void {
    for (const who of ['ada', 'ben'] as const) {
      this.#lines[who].mend();
      this.#desks[who].workplace.hurry();
    }
  }

  /**
   * In what the gateway's records and states differ from who talks to whom at the PBX; nothing, once all has been told.
   */
  async #differences(): Promise<string[]> {
    const { ada, ben } = this.#agents;
    const { customer: where } = this.#pbx;
    const isWith = (agent: TestAgent) => where !== 'gone' && where.at === this.#room.extensionOf(agent);
    const asked = this.#pbx.asked.has(this.#room.extensionOf(ada)) ? ['ringing', 'connected'] : [];
    const expected = {
      ada: isWith(ada) ? [where !== 'gone' && where.isHeld ? 'held' : 'connected'] : [],
      ben: isWith(ben) ? ['connected'] : asked,
    };
    const found: string[] = [];
    for (const who of ['ada', 'ben'] as const) {
      const agent = this.#agents[who];
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
    const wasHandedOn = this.#pbx.whereabouts.some((one) => one !== 'gone' && one.at === this.#room.extensionOf(ben));
    if ((first?.end_reason === 'transferred') !== wasHandedOn) {
      found.push(
        `Ada’s call ended as ${first?.end_reason ?? 'nothing'}, and was ${wasHandedOn ? '' : 'not '}handed on`,
      );
    }
    return found;
  }

  /**
   * Whatever happens, one thing after the other: in the end the customer is with one agent, or on hold with one, and
   * the records tell so; and once everybody has left, they tell that.
   */
  async holds(all: readonly Happening[]): Promise<void> {
    for (const happening of all) {
      await this.#takes(happening);
      // As much time as an answer of the gateway takes.
      await this.#room.stateOf(this.#agents.ada);
    }
    this.#mend();
    await eventually(() => this.#agree());
    this.#everybodyLeaves();
    await eventually(() => this.#agree());
    await this.#close();
  }

  /** Throws where records and PBX differ. */
  async #agree(): Promise<void> {
    const differences = await this.#differences();
    if (differences.length > 0) throw new Error(differences.join('; '));
  }

  /** Everybody hangs up. */
  #everybodyLeaves(): void {
    this.#pbx.customerLeaves();
    for (const { workplace } of Object.values(this.#desks)) workplace.hangUp();
  }

  async #close(): Promise<void> {
    for (const { workplace } of Object.values(this.#desks)) workplace.close();
    for (const line of Object.values(this.#lines)) await line.close();
  }
}
