import type { AgentAtWork } from '../agentAtWork.ts';
import { agentHears, handOn } from './agentOnTheLine.ts';
import { stands, type ForeignPhone } from './foreignPhone.ts';

/** What is done during a call, and waited for. */
export type Story = (agent: AgentAtWork, phones: { customer: ForeignPhone; colleague: ForeignPhone }) => Promise<void>;

/** The customer calls, and the agent answers. */
export const called: Story = async (agent, { customer }) => {
  await customer.call(agent.sipUser);
  await agent.press('Answer');
  await talk(agent, customer);
};

/** The agent is told to dial by a click in the CRM, and the customer answers. */
export const dialed: Story = async (agent, { customer }) => {
  await agent.dialByClick(customer.user);
  await stands(customer, 'rings');
  await customer.answer();
  await talk(agent, customer);
};

async function talk(agent: AgentAtWork, customer: ForeignPhone): Promise<void> {
  await agent.sees('call-state', 'Connected');
  await stands(customer, 'talks');
  await bothHear(agent, customer);
}

/** Agent and customer hear each other. */
export async function bothHear(agent: AgentAtWork, customer: ForeignPhone): Promise<void> {
  await agentHears(agent, 'customer');
  await customer.sound.hears('agent');
}

/** The agent talks to the colleague, and the customer waits. */
export const consulted: Story = async (agent, { customer, colleague }) => {
  await handOn(agent, colleague.user, 'Call first');
  await stands(colleague, 'rings');
  await colleague.answer();
  await agent.page.getByText('You are talking to').waitFor();
  await colleague.sound.hears('agent');
  await agentHears(agent, 'colleague');
  await customer.sound.isSilentWhile(() => agentHears(agent, 'colleague'));
};

/** Customer and colleague are with each other alone, until one of them hangs up. */
export const joined: Story = async (_, { customer, colleague }) => {
  await stands(customer, 'talks');
  await stands(colleague, 'talks');
  await customer.sound.hears('colleague');
  await colleague.sound.hears('customer');
  await customer.hangUp();
  await stands(colleague);
  await stands(customer);
};
