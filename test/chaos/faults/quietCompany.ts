import { setTimeout as pause } from 'node:timers/promises';
import { Softphone } from '../../../src/client/softphone.ts';
import type { Presence } from '../../../src/domain/presence.ts';
import { slowness } from '../../support/time/pace.ts';
import { eventually } from '../../support/time/waiting.ts';
import type { Finding } from '../invariants/finding.ts';
import { Ledger } from '../ledger.ts';
import { Clicks } from '../load/clicks.ts';
import { createCompany, type ChaosAgent, type ChaosCompany } from '../load/company.ts';
import { readPresence } from '../presenceWatch.ts';
import { wayOf, type World } from '../world.ts';

/** Everybody is back within this time, on an idle machine. Milliseconds. */
const backWithinMs = 5_000;
/** Agents of a quiet company: the first is on a call, the second at a meal, the others Ready, in this order. */
const agents = 7;

/** A company of which every agent's state is known, to see what a loss in Redis makes of it. */
export class QuietCompany {
  readonly #world: World;
  readonly #company: ChaosCompany;
  readonly #softphones: readonly Softphone[];
  readonly #before: readonly Presence[];
  /** The ledger of the load knows nothing of this company. */
  readonly #clicks: Clicks;
  readonly #clicked: string[] = [];

  private constructor(
    world: World,
    company: ChaosCompany,
    softphones: readonly Softphone[],
    clicks: Clicks,
    before: readonly Presence[],
  ) {
    this.#world = world;
    this.#clicks = clicks;
    this.#company = company;
    this.#softphones = softphones;
    this.#before = before;
  }

  static async open(world: World): Promise<QuietCompany> {
    const { url, platformToken } = world.cluster;
    const company = await createCompany({ url, platformToken, agents, wrapUpSeconds: 0 });
    const softphones = company.agents.map(({ token }) => new Softphone({ url, token }));
    for (const softphone of softphones) {
      await softphone.connect();
      await softphone.setReady();
    }
    const [talking, eating] = softphones;
    const [way] = world.ways();
    const talker = company.agents[0]?.id ?? '';
    const clicks = new Clicks(new Ledger());
    if (way !== undefined) await clicks.click(company, way, talker);
    await eventually(() => talking?.call?.state === 'dialing');
    await talking?.reportProgress(talking.call?.id ?? '', 'connected');
    await eating?.setNotReady('meal');
    const before = await Promise.all(company.agents.map((agent) => presenceOf(world, company, agent)));
    return new QuietCompany(
      world,
      company,
      softphones,
      clicks,
      before.filter((presence) => presence !== null),
    );
  }

  /** Clicks from the first moment on; each click is for the agent idle longest, and everybody is back in time. */
  async isBack(): Promise<Finding> {
    const lostAt = performance.now();
    const isLate = () => performance.now() - lostAt > backWithinMs * slowness();
    const violations: string[] = [];
    const clicking = this.#clickInTurn(violations, isLate);
    let missing = await this.#missing();
    while (missing.length > 0 && !isLate()) {
      await pause(20);
      missing = await this.#missing();
    }
    const backMs = Math.round(performance.now() - lostAt);
    for (const line of missing) violations.push(`after ${backMs} ms: ${line}`);
    const refused = await clicking;
    return {
      invariant: 'everybody is back within 5 s of a loss, and clicks go to the agent idle longest',
      figures: {
        agents: this.#before.length,
        'back after ms': backMs,
        clicks: this.#clicked.length,
        'refused meanwhile': refused,
      },
      violations,
    };
  }

  async close(): Promise<void> {
    await this.#clicks.close();
    for (const softphone of this.#softphones) softphone.close();
  }

  async #clickInTurn(violations: string[], isLate: () => boolean): Promise<number> {
    const ready = this.#company.agents.slice(2);
    let refused = 0;
    for (const [index, { id }] of ready.entries()) {
      for (let tries = 0; this.#clicked.length <= index; tries += 1) {
        const ways = this.#world.cluster.gateways.map(wayOf);
        const way = ways[(index + tries) % ways.length];
        if (way === undefined) return refused;
        const isAskedLate = isLate();
        const answer = await this.#clicks.click(this.#company, way);
        if (answer.kind === 'dialed') {
          this.#clicked.push(answer.agentId);
          if (answer.agentId !== id)
            violations.push(`click ${index} went to agent ${answer.agentId}, not to ${id}, who was idle longest`);
          continue;
        }
        refused += 1;
        const isHonest = answer.kind === 'refused' && answer.code === 'dependency_unavailable';
        if (!isHonest || isAskedLate) {
          violations.push(`click ${index} for agent ${id}: ${JSON.stringify(answer)}`);
          return refused;
        }
        await pause(100);
      }
    }
    return refused;
  }

  /** Those of whom Redis does not know what it knew before; clicks have changed those that were Ready. */
  async #missing(): Promise<string[]> {
    const now = await Promise.all(
      this.#company.agents.map((agent) => presenceOf(this.#world, this.#company, agent).catch(() => null)),
    );
    return this.#before.flatMap((before, index) => {
      const present = now[index] ?? null;
      const wasClicked =
        this.#clicked.includes(before.agentId) || present?.state === 'reserved' || present?.state === 'on_call';
      const same =
        present !== null &&
        present.connection === 'connected' &&
        present.state === before.state &&
        present.reason === before.reason &&
        present.callId === before.callId &&
        present.idleSince === before.idleSince;
      if (same || (present !== null && wasClicked && before.state === 'ready')) return [];
      return [`agent ${before.agentId} was ${tell(before)} and is ${present === null ? 'not there' : tell(present)}`];
    });
  }
}

function presenceOf(world: World, { id }: ChaosCompany, agent: ChaosAgent): Promise<Presence | null> {
  return readPresence(world.chaos.redis, id, agent.id);
}

function tell({ state, reason, connection, callId, idleSince }: Presence): string {
  return `${state} ${reason ?? ''} ${connection} call ${callId} idle since ${idleSince}`;
}
