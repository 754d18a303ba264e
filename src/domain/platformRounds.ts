import type { Direction } from '../contract/vocabulary.ts';
import type { Call } from './calls.ts';
import { isEnd, type PlatformNews } from './platformCalls.ts';
import { endsAlike } from './phones/phoneSpellings.ts';

/**
 * What is told of an agent on a call, with what tells one call of that name from another.
 * `direction`, `customer`: as told; null: not told. `isHandedOver`: a colleague hands the call over by it.
 */
export type RoundNews = PlatformNews & { direction: Direction | null; customer: string | null; isHandedOver: boolean };

/** What comes after the end of a call, and does not say of when it is, is late for so long. Milliseconds. */
export const tombstoneMs = 300_000;
/**
 * The same after the end of an agent's part alone: the call goes on, and may be offered again.
 * Deliveries overtake each other by seconds. Milliseconds.
 */
export const overtakenMs = 10_000;

/** How many calls with that name the agent has had. @param rounds all of them, the first one first */
export function nextRound(rounds: readonly Call[]): number {
  return (rounds.at(-1)?.platform?.round ?? -1) + 1;
}

/**
 * Which of an agent's calls with one name a platform tells of: most often one; several where an end is that of all that
 * go on. None: of another one, which begins. Each call has the time from the end of the one before to its own; what
 * gives no time is told of the one that goes on, else of the last.
 * @param rounds the agent's calls with that name, the first one first
 * @param others the calls of colleagues with that name
 * @param isOver whether the whole call was told to be over, and not the agent's part of it alone
 */
export function roundsTold(rounds: readonly Call[], others: readonly Call[], news: RoundNews, isOver: boolean): Call[] {
  const last = rounds.at(-1);
  if (last === undefined) return [];
  if (isEnd(news) && news.direction === null) {
    const lasting = rounds.filter((call) => call.state !== 'ended' && !rangAfter(call, news));
    if (lasting.length > 0) return lasting;
  }
  const alike = rounds.filter(({ direction }) => news.direction === null || direction === news.direction);
  const round = roundAt(alike, news);
  if (round === undefined) return isOtherCall(last, news) ? [] : [last];
  return round.state === 'ended' && beginsAgain(round, others, news, isOver) ? [] : [round];
}

/** What is known of a call that is over: when it ended, who called or was called; null: not told. */
type OverCall = { endedAt: Date; customer: string | null; direction: Direction | null };

/** Whether what is told is not of that call, but of another one with its name. */
export function isOfAnother(
  { customer, direction, endedAt }: OverCall,
  news: Pick<RoundNews, 'at' | 'customer' | 'direction' | 'event' | 'saidAt'>,
): boolean {
  if (news.event !== 'ringing' && news.event !== 'answered') return false;
  if (news.saidAt !== null) return news.saidAt > endedAt;
  const isOtherWay = direction !== null && news.direction !== null && direction !== news.direction;
  return isOtherWay || isLate(endedAt, news, tombstoneMs) || isAnother(customer, news.customer);
}

/**
 * The end of the call that the agent had under that name after this one, where that was told first; null: it was not.
 */
export function endToldBefore(rounds: readonly Call[], { saidAt }: PlatformNews): Date | null {
  const last = rounds.at(-1);
  return last?.state === 'ended' && last.platform !== null && saidAt !== null && last.platform.at > saidAt
    ? last.platform.at
    : null;
}

/** When the agent was rung again, where that was told before this end of the call; null: it was not. */
export function ringToldBefore({ answeredAt, platform, state }: Call, news: PlatformNews): Date | null {
  if (state === 'ended' || answeredAt !== null || platform?.rangAt == null || !isEnd(news) || news.saidAt === null)
    return null;
  return platform.at > news.saidAt ? platform.at : null;
}

function roundAt(rounds: readonly Call[], news: PlatformNews): Call | undefined {
  const { event, saidAt } = news;
  if (saidAt === null) return rounds.findLast(({ state }) => state !== 'ended') ?? rounds.at(-1);
  const possible = rounds.filter(
    (call) => (call.state !== 'ended' || saidAt <= endOf(call)) && (event === 'ringing' || !rangAfter(call, news)),
  );
  // Within the time of one that is over it is told of that one.
  return (
    possible.find(({ state }) => state === 'ended') ??
    (event === 'ringing' ? possible[0] : possible.at(-1)) ??
    rounds.findLast((call) => !rangAfter(call, news)) ??
    rounds[0]
  );
}

/** By the platform's clock, where that is known. */
function endOf({ endedAt, platform }: Call): Date {
  return platform?.endedAt ?? endedAt ?? new Date(0);
}

function rangAfter({ platform }: Call, { saidAt }: PlatformNews): boolean {
  return saidAt !== null && platform?.rangAt != null && platform.rangAt > saidAt;
}

/** Whether a call that is over has begun again, or its name is used again. */
function beginsAgain(call: Call, others: readonly Call[], news: RoundNews, isOver: boolean): boolean {
  if (news.event !== 'ringing' && news.event !== 'answered') return false;
  const end = endOf(call);
  if (news.saidAt !== null) return news.saidAt > end;
  if (
    news.isHandedOver ||
    isLate(end, news, isOver || !goesOn(call) ? tombstoneMs : overtakenMs) ||
    isAnother(call.phone ?? call.caller, news.customer)
  )
    return true;
  // It has been at a colleague's since.
  return news.event === 'ringing' && others.some(({ createdAt }) => createdAt > end);
}

/** Whether the customer waits on, or talks to somebody else. */
function goesOn({ direction, endDetail, endReason }: Call): boolean {
  return (
    endReason === 'transferred' ||
    endDetail === 'answered_elsewhere' ||
    (direction === 'inbound' && (endReason === 'missed' || endReason === 'rejected'))
  );
}

function isLate(end: Date, { at }: Pick<PlatformNews, 'at'>, withinMs: number): boolean {
  return at.getTime() - end.getTime() >= withinMs;
}

/** Whether somebody else calls, or is called, than then. Who is not told may be anybody. */
function isAnother(before: string | null, now: string | null): boolean {
  return before !== null && now !== null && now.trim() !== '' && !endsAlike(before, now);
}

/**
 * Whether what is told of the other direction is another call than the last: one that the agent makes after it, or
 * meanwhile to ask a colleague. While it rings it is the same: platforms tell a call that was handed over in the
 * direction that it had at first.
 */
function isOtherCall(last: Call, { event, saidAt }: RoundNews): boolean {
  const isAfter = (time: Date) => saidAt === null || saidAt > time;
  if (last.state === 'ended')
    return (event === 'ringing' || event === 'answered' || event === 'ended') && isAfter(endOf(last));
  return event === 'ringing' && last.answeredAt !== null && last.platform !== null && isAfter(last.platform.at);
}
