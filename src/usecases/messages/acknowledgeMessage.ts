import { type AgentId, type CompanyId, type Lease, toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';
import { noSuchMessage } from './messageViews.ts';

type Reader = { companyId: CompanyId; agentId: AgentId; lease: Lease };

/** The agent has read a message, at the softphone that holds the lease. Saying so again changes nothing. */
export async function acknowledgeMessage(
  { clock, messages, presence }: Pick<Services, 'clock' | 'messages' | 'presence'>,
  { companyId, agentId, lease }: Reader,
  messageId: string,
): Promise<Outcome<object>> {
  const present = await presence.find(companyId, agentId);
  if (present?.lease !== lease) return refuse('session_replaced', 'Another softphone of this agent has taken over.');
  return (await messages.markRead(companyId, agentId, toId(messageId), new Date(clock.now()))) ? ok({}) : noSuchMessage;
}
