import type { DialVia } from '../../contract/ctiConnections.ts';
import type { AgentState } from '../../contract/vocabulary.ts';
import type { AgentId, CallId, CompanyId } from '../../domain/ids.ts';
import type { Services } from '../services.ts';
import { changePresence, type PresenceChange } from './changePresence.ts';

type Needs = Pick<Services, 'presence' | 'softphones' | 'agentCard' | 'observer'>;
type About = { companyId: CompanyId; agentId: AgentId; connector: string };

/**
 * What a telephony platform says that an agent does, is what the agent does here,
 * until it says something else or nothing for 12 h. During a call of the agent's own softphone it counts afterwards.
 * @param said `callId`: the platform's call that the agent is on, by our id;
 * `onlyForCall`: the platform tells of calls alone, and the agent goes back to its own state after this one
 */
export async function followPlatform(
  services: Needs,
  said: About & {
    state: AgentState;
    reason: string | null;
    callId: CallId | null;
    dialsBy: DialVia;
    onlyForCall?: boolean;
  },
): Promise<PresenceChange> {
  const { companyId, agentId, connector, state, reason, callId, dialsBy, onlyForCall = false } = said;
  return changePresence(services, companyId, agentId, {
    type: 'follow_platform',
    companyId,
    agentId,
    said: { connector, state, reason, callId, dialsBy },
    onlyForCall,
  });
}

/** The platform does not set the agent's state any more. Does nothing where another one does, or none. */
export async function leavePlatform(
  services: Needs,
  { companyId, agentId, connector }: About,
): Promise<PresenceChange> {
  return changePresence(services, companyId, agentId, { type: 'leave_platform', connector });
}
