import type { PlatformCause } from '../contract/platforms.ts';
import type { EndReason } from '../contract/vocabulary.ts';
import { type Call, holdAt, type OfPlatform, usualEndedBy } from './calls.ts';

/** What a telephony platform tells of a call of an agent, at a time by the platform's clock. */
export type PlatformNews = {
  event: 'ringing' | 'answered' | 'held' | 'resumed' | 'transferred' | 'ended';
  at: Date;
  /** Whether the platform told the time; else it is when we heard. */
  isDated?: boolean;
  /** Why it ended, where the platform told. */
  cause: PlatformCause | null;
  /** How long agent and customer talked, of a call that ended, where the platform told. Milliseconds. */
  talkMs: number | null;
};

type PlatformEvent = 'call_answered' | 'call_transferred' | 'call_ended';

export type PlatformDecision =
  | { kind: 'unchanged' }
  /** `events`: what of it is announced. */
  | { kind: 'changed'; next: Call; events: PlatformEvent[] };

/**
 * Applies what a platform told to the call. News may come twice, late, in any order, and some never: an answer that was not told is
 * known from what can only follow one; what comes after the end corrects times at most, since the end has been announced.
 */
export function hearOfCall(call: Call, news: PlatformNews): PlatformDecision {
  if (call.platform === null) throw new Error('a softphone’s call is not told of by a platform');
  if (call.state === 'ended') return correctEnded(call, news);
  switch (news.event) {
    case 'ringing':
      return call.ringingAt === null ? changed(call, news, { ringingAt: news.at }, []) : { kind: 'unchanged' };
    case 'answered':
      if (call.answeredAt !== null) return { kind: 'unchanged' };
      return changed(call, news, { state: 'connected', answeredAt: news.at }, ['call_answered']);
    case 'held':
    case 'resumed': {
      const state = news.event === 'held' ? 'held' : 'connected';
      const isOld = news.at < call.platform.at && call.answeredAt !== null;
      if (isOld) return { kind: 'unchanged' };
      if (call.state === state) return isLater(call.platform, news) ? changed(call, news, {}, []) : { kind: 'unchanged' };
      return call.answeredAt === null
        ? changed(call, news, { state, answeredAt: news.at }, ['call_answered'])
        : changed(call, news, { state }, []);
    }
    case 'transferred':
    case 'ended':
      return end(call, news);
  }
}

/** That it was so at a later time, too, tells what comes late from what is new. */
function isLater(platform: OfPlatform, { at, isDated = false }: PlatformNews): boolean {
  return isDated && at > platform.at;
}

function end(call: Call, news: PlatformNews): PlatformDecision {
  const talkedFrom = call.answeredAt ?? answerBefore(news);
  const answeredAt = talkedFrom === null && news.event === 'transferred' ? (call.ringingAt ?? call.createdAt) : talkedFrom;
  const endedAt = latest([news.at, call.createdAt, answeredAt]);
  const { endReason, endDetail } = endOf(call, news, answeredAt !== null);
  const fields = { state: 'ended' as const, answeredAt, endedAt, endReason, endDetail, endedBy: usualEndedBy(call, endReason) };
  const events: PlatformEvent[] = endReason === 'transferred' ? ['call_transferred', 'call_ended'] : ['call_ended'];
  return changed(call, news, fields, call.answeredAt === null && answeredAt !== null ? ['call_answered', ...events] : events);
}

/** What comes after the end of a call, and does not say of when it is, is old for so long: deliveries overtake each other by seconds. Milliseconds. */
export const tombstoneMs = 10_000;

/**
 * Whether what is told under the name of a call that has ended is of another one: it rings again, at the agent to whom it came back from a queue or a
 * colleague, or the platform uses its ids again. A dated ring or answer of after the end is; one without a time once what is late has come.
 * @param now milliseconds since the epoch
 */
export function beginsAnew(call: Call, { at, event, isDated = false }: PlatformNews, now: number): boolean {
  if (call.state !== 'ended' || call.endedAt === null || call.platform === null) return false;
  if (event !== 'ringing' && event !== 'answered') return false;
  return isDated ? at > call.platform.at : now - call.endedAt.getTime() >= tombstoneMs;
}

/** The answer was told too late, or not at all: the record says so, and nothing is announced again. */
function correctEnded(call: Call, news: PlatformNews): PlatformDecision {
  const answeredAt = news.event === 'answered' ? news.at : answerBefore(news);
  if (call.answeredAt !== null || answeredAt === null || call.endedAt === null || answeredAt > call.endedAt) return { kind: 'unchanged' };
  return changed(call, news, { answeredAt, endReason: 'completed', endedBy: null, endDetail: null }, []);
}

/** When a call was answered that was talked on for so long before it ended. */
function answerBefore({ at, talkMs }: PlatformNews): Date | null {
  return talkMs !== null && talkMs > 0 ? new Date(at.getTime() - talkMs) : null;
}

function endOf({ direction }: Call, { event, cause }: PlatformNews, wasAnswered: boolean): { endReason: EndReason; endDetail: string | null } {
  if (event === 'transferred' || (wasAnswered && cause === 'forwarded')) return { endReason: 'transferred', endDetail: null };
  if (wasAnswered) return { endReason: 'completed', endDetail: null };
  switch (cause) {
    case 'answered_elsewhere':
      return { endReason: 'missed', endDetail: cause };
    case 'forwarded':
      return direction === 'inbound' ? { endReason: 'missed', endDetail: cause } : { endReason: 'canceled', endDetail: cause };
    case 'busy':
    case 'rejected':
    case 'canceled':
    case 'failed':
      return { endReason: cause, endDetail: null };
    case 'no_answer':
    case null:
      return { endReason: direction === 'inbound' ? 'missed' : 'no_answer', endDetail: null };
  }
}

function changed(call: Call, { at }: PlatformNews, fields: Partial<Call>, events: PlatformEvent[]): PlatformDecision {
  const platform = call.platform === null ? null : { ...call.platform, at: latest([call.platform.at, at]) };
  const hold = fields.state === undefined ? {} : holdAt(call, fields.state, fields.endedAt ?? at);
  return { kind: 'changed', next: { ...call, ...fields, ...hold, platform, version: call.version + 1 }, events };
}

function latest(times: (Date | null)[]): Date {
  return new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)));
}

/** A platform's clock may be off by so much, and what it tells may be so old; beyond, it is dated by ours. Milliseconds. */
const aheadMs = 60_000;
const oldMs = 24 * 3_600_000;

/** When something happened, as the platform dates it; now where it gives no time, or one that cannot be. Milliseconds since the epoch. */
export function datedAt(at: number | null, now: number): Date {
  if (at === null || at < now - oldMs || at > now + aheadMs) return new Date(now);
  return new Date(Math.min(at, now));
}
