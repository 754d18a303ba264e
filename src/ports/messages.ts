import type { AgentId, CompanyId, MessageId } from '../domain/ids.ts';
import type { Message } from '../domain/messages.ts';
import type { AgentKey } from './agents.ts';
import type { RememberedAnswer } from './calls.ts';
import type { Page, PageRequest } from './queryResults.ts';

/** `readers`: for how many it is, who left without having read it aside; `read`: how many of them have. */
export type CountedMessage = Message & { readers: number; read: number };

export type MessageReader = { id: AgentId; name: string; agentCode: string; readAt: Date | null };

export interface MessageStore {
  /** Whom such a message would reach: active people, all or among those given, except the one who writes. */
  reachable(companyId: CompanyId, senderId: AgentId, among: readonly AgentId[] | null): Promise<AgentId[]>;
  /** How many of the company's messages are neither taken back nor over. */
  countLasting(companyId: CompanyId, now: Date): Promise<number>;
  /**
   * Writes it for those readers, with the answer under its Idempotency-Key, all or nothing.
   * `not_written`: the key was taken over.
   */
  create(
    message: Message,
    readers: readonly AgentId[],
    remember?: RememberedAnswer,
  ): Promise<'written' | 'not_written'>;
  /** The latest first. `senderId`, here and below: whose alone; null: all. */
  list(companyId: CompanyId, senderId: AgentId | null, page: PageRequest): Promise<Page<CountedMessage>>;
  find(companyId: CompanyId, senderId: AgentId | null, id: MessageId): Promise<CountedMessage | null>;
  /** In id order. @param hasRead those who have read it, or who have not; null: all */
  readers(
    companyId: CompanyId,
    id: MessageId,
    hasRead: boolean | null,
    page: PageRequest,
  ): Promise<Page<MessageReader>>;
  /** Nobody is shown it any more. Once taken back it stays so. False: the company has no such message. */
  takeBack(companyId: CompanyId, senderId: AgentId | null, id: MessageId, at: Date): Promise<boolean>;
  /** The agent has read it; the first time counts. False: it was not for this agent. */
  markRead(companyId: CompanyId, agentId: AgentId, id: MessageId, at: Date): Promise<boolean>;
  /** What each of these agents has to read, in order of time; of more than `limit` the latest. */
  unread(asked: readonly AgentKey[], now: Date, limit: number): Promise<Message[][]>;
  /** Messages of these companies that were written or taken back since then, in order of time. */
  changed(companyIds: readonly CompanyId[], since: Date): Promise<Message[]>;
  /** Which of those agents have not read it, though it is for them. */
  unreadBy(companyId: CompanyId, id: MessageId, among: readonly AgentId[]): Promise<AgentId[]>;
  /** Forgets messages that were written before then, at most `limit` at once. @returns how many */
  prune(before: Date, limit: number): Promise<number>;
}
