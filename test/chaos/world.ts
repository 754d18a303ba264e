import { setTimeout as pause } from 'node:timers/promises';
import type { ClusterGateway } from '../../demo/cluster/gateway.ts';
import type { Cluster } from '../../demo/cluster/topology.ts';
import type { Presence } from '../../src/domain/presence.ts';
import type { ChaosCluster } from './chaosCluster.ts';
import type { Finding } from './invariants/finding.ts';
import { Ledger } from './ledger.ts';
import { AgentAtWork } from './load/agentAtWork.ts';
import { Clicks, type Way } from './load/clicks.ts';
import { createCompany, type ChaosCompany } from './load/company.ts';
import { Crm } from './load/crm.ts';
import { openInbox } from './load/inbox.ts';
import { Pulse } from './load/pulse.ts';
import { startLoad, type ClickKind, type SteadyLoad } from './load/steadyLoad.ts';
import { readPresence, watchPresence, type PresenceWatch } from './presenceWatch.ts';
import { Records } from './records.ts';

export type Size = { companies: number; agents: number; clicksPerSecond: number };

/**
 * When a gateway was not itself, by what the test did to it. `isDown`: it could not answer anybody; else it can, though
 * its softphones are none that others could reach. `to`: Infinity while it lasts.
 */
export type Fault = { gateway: string; isDown: boolean; from: number; to: number };

/** Where clicks go, and of what kinds they are. */
export type LoadShape = { through: 'gateways' | 'balancer'; kinds: readonly ClickKind[] };

type Parts = { chaos: ChaosCluster; ledger: Ledger; companies: ChaosCompany[]; size: Size; shape: LoadShape };

/** A cluster under load: what a scenario does its harm to. */
export class World {
  readonly chaos: ChaosCluster;
  readonly cluster: Cluster;
  readonly ledger: Ledger;
  readonly companies: readonly ChaosCompany[];
  readonly agents: readonly AgentAtWork[];
  readonly clicks: Clicks;
  readonly records: Records;
  readonly #watch: PresenceWatch;
  readonly faults: Fault[] = [];
  /** What a scenario has found beside the invariants. */
  readonly findings: Finding[] = [];
  readonly pulse: Pulse;
  readonly #crm: Crm;
  readonly #load: SteadyLoad;
  readonly #through: LoadShape['through'];
  #stops: (() => void)[] = [];

  private constructor({ chaos, ledger, companies, size, shape }: Parts) {
    const { cluster } = chaos;
    this.chaos = chaos;
    this.cluster = cluster;
    this.ledger = ledger;
    this.companies = companies;
    this.#through = shape.through;
    this.agents = companies.flatMap(({ agents }) => agents.map((agent) => new AgentAtWork(cluster.url, agent, ledger)));
    this.clicks = new Clicks(ledger);
    this.#crm = new Crm(ledger);
    this.pulse = new Pulse(ledger, () => cluster.gateways.filter(({ nodeName }) => !this.isDown(nodeName)).map(wayOf));
    this.records = new Records(
      cluster.databaseUrl,
      companies.map(({ id }) => id),
    );
    this.#watch = watchPresence(
      chaos.redis,
      this.agents.map((agent) => ({
        companyId: this.companyOf(agent).id,
        agentId: agent.agent.id,
        isLive: (nodeId) => agent.softphone.line === 'connected' && this.isWorking(nodeId),
      })),
      ledger,
    );
    this.#load = startLoad({
      companies,
      agents: this.agents,
      clicks: this.clicks,
      crm: this.#crm,
      ways: () => this.ways(),
      clicksPerSecond: size.clicksPerSecond,
      kinds: shape.kinds,
    });
  }

  /** Companies, agents at their softphones, and the load. */
  static async open(chaos: ChaosCluster, size: Size, shape: LoadShape): Promise<World> {
    const { cluster } = chaos;
    const ledger = new Ledger();
    const inboxes = await Promise.all(Array.from({ length: size.companies }, () => openInbox(ledger)));
    const companies = await Promise.all(
      inboxes.map(async (inbox) => {
        const { url, platformToken } = cluster;
        const company = await createCompany({
          url,
          platformToken,
          agents: size.agents,
          wrapUpSeconds: 1,
          webhookUrl: inbox.url,
        });
        inbox.expectSecret(company.secret);
        return company;
      }),
    );
    const world = new World({ chaos, ledger, companies, size, shape });
    world.#stops = inboxes.map((inbox) => () => inbox.close());
    await Promise.all(world.agents.map((agent) => agent.begin()));
    return world;
  }

  companyOf({ agent }: AgentAtWork): ChaosCompany {
    const company = this.companies.find(({ agents }) => agents.includes(agent));
    if (company === undefined) throw new Error('every agent is of a company');
    return company;
  }

  /** Where requests go now: a caller's balancer would not send any to a gateway that is down. */
  ways(): readonly Way[] {
    if (this.#through === 'balancer') return [{ name: 'balancer', url: this.cluster.url }];
    return this.cluster.gateways.filter((gateway) => !this.isDown(gateway.nodeName)).map(wayOf);
  }

  /** From now on this gateway is not itself. */
  fault({ nodeName }: ClusterGateway, what: string, { isDown = true } = {}): void {
    this.ledger.did(`${nodeName}: ${what}`);
    this.faults.push({ gateway: nodeName, isDown, from: this.ledger.now(), to: Infinity });
  }

  healed({ nodeName }: ClusterGateway, what: string): void {
    this.ledger.did(`${nodeName}: ${what}`);
    for (const fault of this.faults) {
      if (fault.gateway === nodeName && fault.to === Infinity) fault.to = this.ledger.now();
    }
  }

  isFaulty(gateway: string): boolean {
    return this.faults.some((fault) => fault.gateway === gateway && fault.to === Infinity);
  }

  isDown(gateway: string): boolean {
    return this.faults.some((fault) => fault.gateway === gateway && fault.isDown && fault.to === Infinity);
  }

  /** Starts a gateway again that has ended. */
  async startAgain(gateway: ClusterGateway): Promise<void> {
    await gateway.start();
    await this.chaos.names.learn(gateway);
    this.healed(gateway, 'is started again');
  }

  presenceOf(agent: AgentAtWork): Promise<Presence | null> {
    return readPresence(this.chaos.redis, this.companyOf(agent).id, agent.agent.id);
  }

  /** The gateway that holds the agent's softphone, as Redis says. */
  async gatewayOf(agent: AgentAtWork): Promise<ClusterGateway | null> {
    const nodeId = (await this.presenceOf(agent))?.nodeId ?? null;
    return this.cluster.gateways.find(({ nodeName }) => nodeName === this.chaos.names.nameOf(nodeId)) ?? null;
  }

  isWorking(nodeId: string | null): boolean {
    const name = this.chaos.names.nameOf(nodeId);
    // One that was just started may not be known by name yet.
    return name === null ? !this.chaos.names.isPast(nodeId) : !this.isFaulty(name);
  }

  for(ms: number): Promise<void> {
    return pause(ms);
  }

  /** No more clicks; everything under way comes to its end. */
  async calmDown(): Promise<void> {
    this.ledger.did('the load stops');
    await this.#load.stop();
  }

  async close(): Promise<void> {
    await this.#load.stop();
    for (const agent of this.agents) agent.close();
    await Promise.all([this.#watch.stop(), this.clicks.close(), this.#crm.close(), this.pulse.stop()]);
    for (const stop of this.#stops) stop();
  }
}

export function wayOf({ nodeName, url }: ClusterGateway): Way {
  return { name: nodeName, url };
}
