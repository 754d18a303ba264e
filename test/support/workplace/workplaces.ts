import type { CallView } from '../../../src/contract/calls.ts';
import type { CallKey } from '../../../web/src/lib/sip/phoneCall.ts';
import type { KeyValueStore } from '../../../web/src/lib/sip/pendingHangUps.ts';
import { AgentWorkplace, type AgentWorkplaceNeeds } from '../../../web/src/features/workplace/agentWorkplace.ts';
import { LeftDialogStorage } from '../../../web/src/features/workplace/dialogStorage.ts';
import { systemTimers } from '../../../web/src/features/workplace/timers.ts';
import type { WorkplaceView } from '../../../web/src/features/workplace/workplace.ts';
import { FakePhone } from '../sip/fakePhone.ts';
import type { Gateway, TestAgent, TestCompany } from '../gateway/gateway.ts';
import { comes } from '../time/pace.ts';

/** What a tab of a browser keeps over a reload. */
export type Tab = { store: KeyValueStore; session: string | undefined };

export function newTab(): Tab {
  const kept = new Map<string, string>();
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  return { store, session: undefined };
}

/** An agent's page without a page: a workplace with a telephone that the test plays. */
export class Desk {
  readonly workplace: AgentWorkplace;
  readonly tab: Tab;
  readonly agent: TestAgent;
  /** The latest telephone that the workplace made. */
  phone = new FakePhone();
  readonly phones: FakePhone[] = [];

  constructor(
    gateway: { url: string },
    agent: TestAgent,
    needs: Partial<AgentWorkplaceNeeds> & { tab?: Tab; phone?: FakePhone; newPhone?: () => FakePhone } = {},
  ) {
    const tab = needs.tab ?? newTab();
    this.tab = tab;
    this.agent = agent;
    let next = needs.phone ?? null;
    this.workplace = new AgentWorkplace({
      url: gateway.url,
      token: agent.token,
      session: () => Promise.resolve(tab.session),
      makePhone: () => {
        this.phone = next ?? needs.newPhone?.() ?? new FakePhone();
        next = null;
        this.phones.push(this.phone);
        return this.phone;
      },
      store: tab.store,
      left: new LeftDialogStorage(newTab().store, agent.id),
      channel: null,
      timers: systemTimers,
      sounds: { ring: () => {}, silence: () => {}, chime: () => {} },
      onSession: (session) => void (tab.session = session),
      onLeft: () => {},
      onEnd: () => {},
      ...needs,
    });
  }

  /** Connects, and waits for the telephone. */
  async open(): Promise<this> {
    await this.workplace.start();
    await this.sees('a telephone', ({ line, settings }) => line === 'connected' && settings !== null);
    return this;
  }

  async goReady(): Promise<this> {
    await this.workplace.setReady();
    return this;
  }

  /** Of the call in front, for what is chosen for it; of none, where there is none. */
  get key(): CallKey {
    return this.workplace.view().callKey ?? 0;
  }

  /** Resolves when the agent sees what fits. */
  sees(what: string, fits: (view: WorkplaceView) => boolean): Promise<WorkplaceView> {
    const look = () => {
      const view = this.workplace.view();
      return fits(view) ? view : undefined;
    };
    return comes(
      look,
      (tell) => this.workplace.subscribe(tell),
      () => `the agent does not see ${what}: ${JSON.stringify(this.workplace.view())}`,
    );
  }

  /** The call, once it is in that state; one that is over, once the gateway knows. */
  async hasCall(state: CallView['state']): Promise<CallView> {
    const fits = ({ call, isEngaged }: WorkplaceView) => call?.state === state && !(state === 'ended' && isEngaged);
    return (await this.sees(`a ${state} call`, fits)).call!;
  }
}

/** A company whose agents telephone by SIP at a PBX that nobody calls. */
export async function sipCompany(gateway: Gateway, slug: string): Promise<TestCompany> {
  const company = await gateway.company({ slug, wrapUpSeconds: 600 });
  await gateway
    .as(company)
    .put('/api/telephony')
    .send({ mode: 'sip', sip_wss_url: 'wss://pbx.example/ws' })
    .expect(200);
  return company;
}

/** One more agent of such a company, with an account at its PBX. */
export async function sipAgent(gateway: Gateway, company: TestCompany): Promise<TestAgent> {
  const number = company.agents.length;
  const agent = await gateway.agent(company, `${company.slug}-${number}`);
  company.agents.push(agent);
  const account = { sip_user: String(100 + number), sip_secret: 'secret' };
  await gateway.as(company).patch(`/api/agents/${agent.id}`).send(account).expect(200);
  return agent;
}
