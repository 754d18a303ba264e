import { randomBytes } from 'node:crypto';
import { Softphone } from '../../src/client/softphone.ts';
import { agentView, type AgentView } from '../../src/contract/agents.ts';
import type { ClickToDialOffer, CrmScreenPop } from '../../src/contract/socket.ts';
import type { Caller, GatewayApi } from '../gatewayApi.ts';
import { must, within, type Timeline } from './timeline.ts';

const patienceMs = 10_000;

/** The story's own agent, so that nobody else's softphone rings. */
export type StoryAgent = { account: AgentView; softphone: Softphone };
/** An account that lives as long as the story. */
export type StoryAccount = { view: AgentView; password: string };

/** Creates the account, under a code that nobody has. */
export async function createStoryAgent(api: GatewayApi, admin: Caller): Promise<StoryAccount> {
  const password = randomBytes(18).toString('base64url');
  const agentCode = `story-${randomBytes(4).toString('hex')}`;
  const body = { agent_code: agentCode, name: 'Story Agent', password };
  const view = await api.ask({ method: 'POST', path: '/api/agents', answer: agentView, as: admin, body });
  return { view, password };
}

/** Logs the agent in, connects a softphone and goes Ready. */
export async function openSoftphone(
  api: GatewayApi,
  { view, password }: StoryAccount,
  company: string,
  timeline: Timeline,
): Promise<Softphone> {
  const { token } = await api.logIn({ agent_code: view.agent_code, password, company_slug: company });
  const softphone = new Softphone({ url: api.url, token });
  const snapshot = await within(patienceMs, 'the connection of the softphone', softphone.connect());
  timeline.step(`agent ${view.agent_code} is created and its softphone connected (${snapshot.agent.state})`);
  const agent = await softphone.setReady();
  must(agent.state === 'ready', 'the agent is Ready');
  timeline.step('the agent is Ready');
  return softphone;
}

/** Deactivates the account: its token and connections end with it. */
export async function dismissAgent(api: GatewayApi, admin: Caller, { id }: AgentView): Promise<void> {
  await api.ask({ method: 'PATCH', path: `/api/agents/${id}`, answer: agentView, as: admin, body: { active: false } });
}

/** The softphone's next screen pop. Listen before you do what brings it. */
export function nextPop(softphone: Softphone): Promise<CrmScreenPop> {
  return within(patienceMs, 'the screen pop', new Promise((resolve) => softphone.once('pop', resolve)));
}

/** The next order to dial. Listen before you click. */
export function nextDial(softphone: Softphone): Promise<ClickToDialOffer> {
  return within(patienceMs, 'the dial', new Promise((resolve) => softphone.once('dial', resolve)));
}

/** Resolves once the agent is in that state. */
export function untilState(softphone: Softphone, state: string): Promise<void> {
  if (softphone.agent?.state === state) return Promise.resolve();
  const happening = new Promise<void>((resolve) => {
    const look = () => {
      if (softphone.agent?.state !== state) return;
      softphone.off('agent', look);
      resolve();
    };
    softphone.on('agent', look);
  });
  return within(patienceMs, `the agent's ${state}`, happening);
}
