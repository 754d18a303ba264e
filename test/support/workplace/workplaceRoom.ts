import { afterAll, afterEach, beforeAll, onTestFinished, vi } from 'vitest';
import type supertest from 'supertest';
import { Softphone, SoftphoneRefusal } from '../../../src/client/softphone.ts';
import type { AgentStateView } from '../../../src/contract/agents.ts';
import type { CallView } from '../../../src/contract/calls.ts';
import { openBreakableLine, type BreakableLine } from '../gateway/breakableLine.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../gateway/gateway.ts';
import { Desk, sipAgent, sipCompany } from './workplaces.ts';
import { eventually } from '../time/waiting.ts';

export type DeskNeeds = ConstructorParameters<typeof Desk>[2];

/** Whom the agents of the room talk to. */
export const customer = '+15551230001';

/** A gateway and the desks of its agents: real lines, telephones that the test plays. */
export class WorkplaceRoom {
  gateway!: Gateway;
  company!: TestCompany;
  readonly #desks: Desk[] = [];
  readonly #lines: BreakableLine[] = [];

  async open(slug: string): Promise<void> {
    this.gateway = await startGateway();
    this.company = await sipCompany(this.gateway, slug);
  }

  /** After a test: everyone goes home. */
  async leave(): Promise<void> {
    for (const desk of this.#desks.splice(0)) desk.workplace.close();
    for (const line of this.#lines.splice(0)) await line.close();
  }

  /** One whom no other test uses. */
  someAgent(): Promise<TestAgent> {
    return sipAgent(this.gateway, this.company);
  }

  /** By which the PBX knows one of `someAgent`. */
  extensionOf(agent: TestAgent): string {
    return String(100 + this.company.agents.indexOf(agent));
  }

  deskOf(agent: TestAgent, needs: DeskNeeds = {}, url = this.gateway.url): Desk {
    const desk = new Desk({ url }, agent, needs);
    this.#desks.push(desk);
    return desk;
  }

  async readyDesk(agent?: TestAgent, needs: DeskNeeds = {}, url = this.gateway.url): Promise<Desk> {
    const desk = await this.deskOf(agent ?? (await this.someAgent()), needs, url).open();
    await desk.goReady();
    return desk;
  }

  /** A desk whose line to the gateway the test can cut. */
  async breakableDesk(agent: TestAgent, needs: DeskNeeds = {}): Promise<{ desk: Desk; line: BreakableLine }> {
    const line = await openBreakableLine(this.gateway.url);
    this.#lines.push(line);
    return { desk: await this.readyDesk(agent, needs, line.url), line };
  }

  /** A desk at which an agent talks, and the call as it is recorded. */
  async talking(agent: TestAgent, needs: DeskNeeds = {}): Promise<{ desk: Desk; call: CallView }> {
    return this.talkingAt(await this.readyDesk(agent, needs), agent);
  }

  /** The same at that one. */
  async talkingAt(desk: Desk, agent: TestAgent): Promise<{ desk: Desk; call: CallView }> {
    await this.click(agent).expect(201);
    await desk.hasCall('dialing');
    desk.phone.isAnswered();
    const { id } = await desk.hasCall('connected');
    await eventually(async () => (await this.recorded(id)).state === 'connected');
    return { desk, call: await this.recorded(id) };
  }

  click(agent: TestAgent): supertest.Test {
    return this.gateway.click(this.company, { phone_number: customer, agent_id: agent.id });
  }

  /** The call as it was recorded. */
  async recorded(callId: string): Promise<CallView> {
    return (await this.asAdmin(this.gateway.api.get(`/api/calls/${callId}`)).expect(200)).body as CallView;
  }

  /** The agent's calls, the latest first. */
  async callsOf(agent: TestAgent): Promise<CallView[]> {
    const answer = await this.asAdmin(this.gateway.api.get('/api/calls').query({ agent_id: agent.id })).expect(200);
    return (answer.body as { calls: CallView[] }).calls;
  }

  /** The agent's state, as the gateway has it. */
  async stateOf(agent: TestAgent): Promise<string> {
    return (await this.liveStateOf(agent)).state;
  }

  async liveStateOf(agent: TestAgent): Promise<AgentStateView> {
    const answer = await this.asAdmin(this.gateway.api.get(`/api/agents/${agent.id}/state`)).expect(200);
    return answer.body as AgentStateView;
  }

  asAdmin(request: supertest.Test): supertest.Test {
    return request.set('authorization', `Bearer ${this.company.adminToken}`);
  }
}

/**
 * From here to the end of the test the gateway takes nobody who calls,
 * as those of before took no callers without a number.
 */
export function refusesCallers(): void {
  const refusal = new SoftphoneRefusal({ code: 'invalid_phone', detail: 'It has no digits.' });
  const asked = vi.spyOn(Softphone.prototype, 'incomingCall').mockRejectedValue(refusal);
  onTestFinished(() => asked.mockRestore());
}

/** Opens a room for the tests of a file. */
export function useWorkplaceRoom(slug: string): WorkplaceRoom {
  const room = new WorkplaceRoom();
  beforeAll(() => room.open(slug));
  afterEach(() => room.leave());
  afterAll(() => room.gateway.close());
  return room;
}
