import type { MessageView, WriteMessageRequest } from '../../contract/messages.ts';
import { agentsWithin, ledTeamsOf, type Principal } from '../../domain/access.ts';
import { type MessageId, toId } from '../../domain/ids.ts';
import type { Audience } from '../../domain/messages.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { CountedMessage } from '../../ports/messages.ts';
import { agentScopeOf } from '../agents/agentScope.ts';
import { findShownAgent } from '../agents/findAgent.ts';
import { type Created, createOnce, type Remember } from '../concurrency/createOnce.ts';
import type { Services } from '../services.ts';
import { messageView } from './messageViews.ts';

type Writer = Extract<Principal, { kind: 'agent' }>;
type Needs = Pick<
  Services,
  | 'agentCard'
  | 'agents'
  | 'clock'
  | 'counters'
  | 'idempotency'
  | 'ledAgents'
  | 'messages'
  | 'newId'
  | 'retries'
  | 'softphones'
  | 'teams'
>;

/** What a company may write in a minute, all together. */
const perMinute = 60;
/** So many may wait to be read: each is looked at by every softphone that signs in. */
const lastingAtMost = 500;

/**
 * Writes a message for softphones: to those who are connected at once, to others at their next sign-in while it lasts.
 * Refuses an agent or team that the company has not, a message that nobody would read, and too many.
 * @param idempotencyKey the first answer under this key is given again for 24 h
 */
export async function writeMessage(
  services: Needs,
  writer: Writer,
  body: WriteMessageRequest,
  idempotencyKey: string | null,
): Promise<Outcome<Created<MessageView>>> {
  return createOnce(services, writer, { path: '/api/messages', body, idempotencyKey }, (remember) =>
    make(services, writer, body, remember),
  );
}

async function make(
  services: Needs,
  writer: Writer,
  body: WriteMessageRequest,
  remember: Remember | undefined,
): Promise<Outcome<MessageView>> {
  const { clock, counters, messages, newId, softphones } = services;
  const { companyId, agentId } = writer;
  const audience = await audienceOf(services, writer, body.to);
  if (audience.kind === 'refused') return audience;
  const { among, ...told } = audience.value;
  const readers = await messages.reachable(companyId, agentId, among);
  if (readers.length === 0) {
    return refuse('conflict', 'Nobody would read it: whom it is for is not active, or is who writes it.', {
      cause: { code: 'no_readers' },
    });
  }
  const createdAt = new Date(clock.now());
  if ((await messages.countLasting(companyId, createdAt)) >= lastingAtMost) {
    return refuse('conflict', `At most ${lastingAtMost} messages of a company can last at a time.`, {
      cause: { code: 'too_many_messages', params: { max: lastingAtMost } },
    });
  }
  const { points, endsInMs } = await counters.add(`messages ${companyId}`, 1, 60);
  if (points > perMinute) {
    return refuse('rate_limited', 'The company has written too many messages in this minute.', {
      retryAfterSeconds: Math.max(1, Math.ceil(endsInMs / 1_000)),
      limit: perMinute,
    });
  }
  const { name } = await services.agentCard(companyId, agentId);
  const message: CountedMessage = {
    companyId,
    id: toId<MessageId>(newId()),
    sender: { id: agentId, name },
    text: body.text,
    audience: told.audience,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + body.valid_minutes * 60_000),
    takenBackAt: null,
    readers: readers.length,
    read: 0,
  };
  const view = messageView(message);
  const written = await messages.create(
    message,
    readers,
    remember === undefined ? undefined : { ...remember, body: view },
  );
  if (written === 'not_written') {
    return refuse('idempotency_in_progress', 'Another request has taken this Idempotency-Key over.', {
      retryAfterSeconds: 1,
    });
  }
  softphones.messagesChanged(companyId);
  return ok(view);
}

/** For whom it is; `among`: whom that may be, null: everybody. A supervisor of some teams writes to whom they see. */
async function audienceOf(
  services: Needs,
  writer: Writer,
  to: WriteMessageRequest['to'],
): Promise<Outcome<{ audience: Audience; among: Writer['agentId'][] | null }>> {
  if (to === 'everybody')
    return ok({ audience: { kind: 'everybody' }, among: agentsWithin(await agentScopeOf(services, writer), null) });
  if ('agent_id' in to) {
    const found = await findShownAgent(services, writer, to.agent_id);
    if (found.kind === 'refused') return found;
    const { id, name } = found.value;
    return ok({ audience: { kind: 'agent', id, name }, among: [id] });
  }
  const team = await services.teams.find(writer.companyId, toId(to.team_id));
  if (team === null || ledTeamsOf(writer)?.includes(team.id) === false)
    return refuse('unknown_team', 'The company has no such team, or it is not shown to you.');
  return ok({ audience: { kind: 'team', id: team.id, name: team.name }, among: team.agentIds });
}
