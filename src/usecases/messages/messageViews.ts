import type { MessageNotice, MessageView } from '../../contract/messages.ts';
import { ledTeamsOf, type Principal } from '../../domain/access.ts';
import type { AgentId } from '../../domain/ids.ts';
import type { Message } from '../../domain/messages.ts';
import { refuse } from '../../domain/outcome.ts';
import type { CountedMessage } from '../../ports/messages.ts';

/** The same for one that does not exist, of another company, and of another supervisor to one of some teams. */
export const noSuchMessage = refuse('not_found', 'The company has no such message.');

/**
 * Whose messages the caller sees and takes back: a supervisor of some teams only the own ones,
 * who may be told by them of anybody else. Null: all.
 */
export function sendersShownTo(principal: Principal): AgentId | null {
  return principal.kind === 'agent' && ledTeamsOf(principal) !== null ? principal.agentId : null;
}

/** A message as a softphone gets it. */
export function messageNotice({ id, sender, audience, text, createdAt, expiresAt }: Message): MessageNotice {
  const to = audience.kind === 'everybody' ? { kind: audience.kind, id: null, name: null } : audience;
  return {
    id,
    from: { id: sender.id, name: sender.name },
    to,
    text,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}

/** A message as those see it who may write such. */
export function messageView(message: CountedMessage): MessageView {
  return {
    ...messageNotice(message),
    taken_back_at: message.takenBackAt?.toISOString() ?? null,
    readers: message.readers,
    read: message.read,
  };
}
