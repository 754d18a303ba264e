import type { AgentStateView } from '../../../src/contract/agents.ts';
import type { ClickTally, LiveCall } from '../../../src/contract/live.ts';
import type { Refusal } from '../../../src/contract/socket.ts';
import { Watcher, type WatcherState } from '../../../src/client/watcher.ts';
import { eventually } from '../time/waiting.ts';

/** What a supervisor's page has seen of a company. */
export class WatchedWallboard {
  readonly watcher: Watcher;
  /** In the order of arrival. */
  readonly lines: { state: WatcherState; refusal: Refusal | undefined }[] = [];
  readonly agentLists: AgentStateView[][] = [];
  /** With the last list. */
  serverTime: string | null = null;
  teamIds: string[] | null = null;
  readonly agentChanges: AgentStateView[] = [];
  readonly callLists: LiveCall[][] = [];
  readonly callChanges: LiveCall[] = [];
  readonly clickLists: ClickTally[][] = [];

  constructor(url: string, token: string) {
    this.watcher = new Watcher({ url, token });
    this.watcher.on('line', (state, refusal) => this.lines.push({ state, refusal }));
    this.watcher.on('agents', (agents, serverTime, teamIds) => {
      this.agentLists.push(agents);
      this.serverTime = serverTime;
      this.teamIds = teamIds;
    });
    this.watcher.on('agent', (agent) => this.agentChanges.push(agent));
    this.watcher.on('calls', (calls) => this.callLists.push(calls));
    this.watcher.on('call', (call) => this.callChanges.push(call));
    this.watcher.on('clicks', (tallies) => this.clickLists.push(tallies));
  }

  /** Resolves once everything is on screen. */
  static async open(url: string, token: string): Promise<WatchedWallboard> {
    const wallboard = new WatchedWallboard(url, token);
    wallboard.watcher.connect();
    await eventually(() => wallboard.clickLists.length > 0);
    return wallboard;
  }

  /** The states of a call, in the order of arrival. */
  statesOf(callId: string): string[] {
    return this.callChanges.filter(({ id }) => id === callId).map(({ state }) => state);
  }

  /** All clicks that are on screen. */
  get clicks(): Omit<ClickTally, 'at'> {
    const sums = { dialed: 0, no_ready_agent: 0, agent_not_ready: 0, failed: 0 };
    for (const tally of this.clickLists.at(-1) ?? []) {
      sums.dialed += tally.dialed;
      sums.no_ready_agent += tally.no_ready_agent;
      sums.agent_not_ready += tally.agent_not_ready;
      sums.failed += tally.failed;
    }
    return sums;
  }

  /** Resolves when so many clicks are on screen. */
  async shows(clicks: Partial<Omit<ClickTally, 'at'>>): Promise<void> {
    const wanted = JSON.stringify({ dialed: 0, no_ready_agent: 0, agent_not_ready: 0, failed: 0, ...clicks });
    await eventually(() => JSON.stringify(this.clicks) === wanted);
  }
}
