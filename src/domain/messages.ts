import type { AgentId, CompanyId, MessageId, TeamId } from './ids.ts';

/** For how long a message can be shown at most: a week. Minutes. */
export const longestMessageMinutes = 7 * 24 * 60;

/** For whom a message is; the name as it was then. */
export type Audience =
  { kind: 'agent'; id: AgentId; name: string } | { kind: 'team'; id: TeamId; name: string } | { kind: 'everybody' };

/** What a supervisor wrote for softphones. */
export type Message = {
  companyId: CompanyId;
  id: MessageId;
  sender: { id: AgentId; name: string };
  text: string;
  audience: Audience;
  createdAt: Date;
  /** From then on it is shown to nobody any more. */
  expiresAt: Date;
  takenBackAt: Date | null;
};
