import { LRUCache } from 'lru-cache';
import type { AgentId, CompanyId } from '../domain/ids.ts';
import type { Message } from '../domain/messages.ts';
import type { AgentKey } from '../ports/agents.ts';
import { askTogether } from '../usecases/concurrency/askTogether.ts';
import { retryUntilSuccess } from '../usecases/concurrency/retryUntilSuccess.ts';
import { messageNotice } from '../usecases/messages/messageViews.ts';
import type { Services } from '../usecases/services.ts';
import type { SoftphoneSocket } from './io.ts';
import type { SoftphoneRegistry } from './softphoneRegistry.ts';

/** Shown to somebody who signs in, at most. */
const shownAtMost = 50;
/** Who sign in at once, as after the end of another gateway, and are looked at with one query. */
const greetedTogether = 500;
/**
 * What was written so long before the last look may not have been there yet to be found: a slow write,
 * and clocks that differ. Milliseconds.
 */
const overlapMs = 60_000;
const rememberAtMost = 10_000;

/**
 * Shows this gateway's softphones what supervisors wrote.
 * What is kept in the database counts: a word of another gateway says only when to look.
 */
export interface MessageDelivery {
  /** Something was written or taken back in the company. Never rejects. */
  look(companyId: CompanyId): void;
  /** Finds what nobody told of: the gateway that wrote it may have died. */
  round(): Promise<void>;
  /** Shows a softphone that has connected what its agent has not read, as soon as it can be read. */
  greet(socket: SoftphoneSocket): void;
}

type Needs = { registry: SoftphoneRegistry; services: Pick<Services, 'clock' | 'messages' | 'observer' | 'retries'> };

/** Emits to softphones that own their agents' sessions: of two tabs to the one that is in use. */
export function createMessageDelivery({ registry, services }: Needs): MessageDelivery {
  const { clock, messages, observer } = services;
  /** Until when everything was found by a round. Milliseconds. */
  let foundUntil = clock.now();
  /** As it was told to all softphones that were here; those that connect later are greeted. */
  const told = new LRUCache<string, true>({ max: rememberAtMost });

  const unreadOf = askTogether(
    (asked: readonly AgentKey[]) => messages.unread(asked, new Date(clock.now()), shownAtMost),
    greetedTogether,
  );

  async function lookAt(companyIds: readonly CompanyId[]): Promise<void> {
    const changed = await messages.changed(companyIds, new Date(foundUntil - overlapMs));
    for (const message of changed) {
      const key = `${message.id} ${message.takenBackAt === null ? 'written' : 'taken back'}`;
      if (told.has(key)) continue;
      await tell(message);
      told.set(key, true);
    }
  }

  async function tell(message: Message): Promise<void> {
    if (message.takenBackAt === null && message.expiresAt.getTime() <= clock.now()) return;
    const here = [...registry.all()].filter(({ companyId }) => companyId === message.companyId);
    const readers = new Set<AgentId>(
      here.length === 0
        ? []
        : await messages.unreadBy(
            message.companyId,
            message.id,
            here.map(({ agentId }) => agentId),
          ),
    );
    for (const { agentId, socket } of registry.all()) if (readers.has(agentId)) emitMessage(socket, message);
  }

  return {
    look(companyId) {
      lookAt([companyId]).catch((error: unknown) =>
        observer.problem('a message could not be shown', error, { company_id: companyId }),
      );
    },
    async round() {
      const begun = clock.now();
      const companyIds = new Set(Array.from(registry.all(), ({ companyId }) => companyId));
      if (companyIds.size > 0) await lookAt([...companyIds]);
      foundUntil = begun;
    },
    greet(socket) {
      const { companyId, agentId } = socket.data.holder.principal;
      void retryUntilSuccess(services, 'messages could not be shown to who signed in', async () => {
        if (!socket.connected) return;
        for (const message of await unreadOf({ companyId, agentId })) emitMessage(socket, message);
      });
    },
  };
}

function emitMessage(socket: SoftphoneSocket, message: Message): void {
  if (message.takenBackAt === null) socket.emit('message_posted', messageNotice(message));
  else socket.emit('message_closed', { id: message.id });
}
