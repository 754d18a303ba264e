import type { PlatformCause } from '../contract/platforms.ts';
import type { EndReason } from '../contract/vocabulary.ts';
import { type Call, holdAt, type OfPlatform, usualEndedBy } from './calls.ts';

/** What a telephony platform tells of a call of an agent. */
export type PlatformNews = {
  event: 'ringing' | 'answered' | 'held' | 'resumed' | 'transferred' | 'ended';
  /** When it happened, never in the future: as the platform dates it, else when we heard. For the record. */
  at: Date;
  /**
   * The same as the platform's clock has it, which may be ahead: what happened before what.
   * Null: it gives no time, or one that cannot be.
   */
  saidAt: Date | null;
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
 * Applies what a platform told to the call. News may come twice, late, in any order, and some never: an answer
 * that was not told is known from what can only follow one; what comes after the end corrects times at most, since
 * the end has been announced.
 */
export function hearOfCall(call: Call, news: PlatformNews): PlatformDecision {
  if (call.platform === null) throw new Error('a softphone’s call is not told of by a platform');
  if (call.state === 'ended') return correctEnded(call, news);
  switch (news.event) {
    case 'ringing':
      if (call.ringingAt === null) return changed(call, news, { ringingAt: news.at }, []);
      return tellsMoreOfRing(call, call.platform, news) ? changed(call, news, {}, []) : { kind: 'unchanged' };
    case 'answered':
      if (call.answeredAt !== null) return correctAnswer(call, news);
      return changed(call, news, { state: 'connected', answeredAt: news.at }, ['call_answered']);
    case 'held':
    case 'resumed': {
      const state = news.event === 'held' ? 'held' : 'connected';
      const isOld = timeOf(news) < call.platform.at && call.answeredAt !== null;
      if (isOld) return { kind: 'unchanged' };
      if (call.state === state)
        return isLater(call.platform, news) ? changed(call, news, {}, []) : { kind: 'unchanged' };
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
function isLater(platform: OfPlatform, { saidAt }: PlatformNews): boolean {
  return saidAt !== null && saidAt > platform.at;
}

/**
 * When it began to ring tells it from what came before;
 * that it rings later still may be of the next time, if its end is yet to be told.
 */
function tellsMoreOfRing({ answeredAt }: Call, platform: OfPlatform, news: PlatformNews): boolean {
  return news.saidAt !== null && (platform.rangAt === null || (answeredAt === null && isLater(platform, news)));
}

/** By the platform's clock, or else by ours. */
function timeOf({ at, saidAt }: PlatformNews): Date {
  return saidAt ?? at;
}

function end(call: Call, news: PlatformNews): PlatformDecision {
  const talkedFrom = call.answeredAt ?? answerBefore(news);
  const answeredAt =
    talkedFrom === null && news.event === 'transferred' ? (call.ringingAt ?? call.createdAt) : talkedFrom;
  const endedAt = latest([news.at, call.createdAt, answeredAt]);
  const { endReason, endDetail } = endOf(call, news, answeredAt !== null);
  const fields = {
    state: 'ended' as const,
    answeredAt,
    endedAt,
    endReason,
    endDetail,
    endedBy: usualEndedBy(call, endReason, endDetail),
  };
  const events: PlatformEvent[] = endReason === 'transferred' ? ['call_transferred', 'call_ended'] : ['call_ended'];
  return changed(
    call,
    news,
    fields,
    call.answeredAt === null && answeredAt !== null ? ['call_answered', ...events] : events,
  );
}

/** What can only follow an answer was told before it: that was earlier. It is not announced again. */
function correctAnswer(call: Call, news: PlatformNews): PlatformDecision {
  const isEarlier =
    news.event === 'answered' && news.saidAt !== null && call.answeredAt !== null && news.at < call.answeredAt;
  return isEarlier ? changed(call, news, { answeredAt: news.at }, []) : { kind: 'unchanged' };
}

/**
 * The answer was told too late, or not at all: the record says so, and nothing is announced again.
 * A later end is the next time's, if that is yet to be told of: it is kept.
 */
function correctEnded(call: Call, news: PlatformNews): PlatformDecision {
  const answeredAt = news.event === 'answered' ? news.at : answerBefore(news);
  if (call.answeredAt !== null || answeredAt === null || call.endedAt === null || answeredAt > call.endedAt) {
    const isLaterEnd = isEnd(news) && call.platform !== null && isLater(call.platform, news);
    return isLaterEnd ? changed(call, news, {}, []) : correctAnswer(call, news);
  }
  return changed(call, news, { answeredAt, endReason: 'completed', endedBy: null, endDetail: null }, []);
}

/** When a call was answered that was talked on for so long before it ended. */
function answerBefore({ at, talkMs }: PlatformNews): Date | null {
  return talkMs !== null && talkMs > 0 ? new Date(at.getTime() - talkMs) : null;
}

function endOf(
  { direction }: Call,
  { event, cause }: PlatformNews,
  wasAnswered: boolean,
): { endReason: EndReason; endDetail: string | null } {
  if (event === 'transferred' || (wasAnswered && cause === 'forwarded'))
    return { endReason: 'transferred', endDetail: null };
  if (wasAnswered) return { endReason: 'completed', endDetail: null };
  switch (cause) {
    case 'answered_elsewhere':
      return { endReason: 'canceled', endDetail: cause };
    case 'forwarded':
      return direction === 'inbound'
        ? { endReason: 'missed', endDetail: cause }
        : { endReason: 'canceled', endDetail: cause };
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

function changed(call: Call, news: PlatformNews, fields: Partial<Call>, events: PlatformEvent[]): PlatformDecision {
  const { event, at, saidAt } = news;
  const before = call.platform;
  const times = {
    rangAt: before?.rangAt ?? (event === 'ringing' ? saidAt : null),
    endedAt: before?.endedAt ?? (fields.state === 'ended' ? saidAt : null),
  };
  const platform = before === null ? null : { ...before, ...times, at: latest([before.at, timeOf(news)]) };
  const hold = fields.state === undefined ? {} : holdAt(call, fields.state, fields.endedAt ?? at);
  return { kind: 'changed', next: { ...call, ...fields, ...hold, platform, version: call.version + 1 }, events };
}

function latest(times: (Date | null)[]): Date {
  return new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)));
}

/**
 * A platform's clock may be off by so much, and what it tells may be so old; beyond, it is dated by ours. Milliseconds.
 */
const aheadMs = 60_000;
const oldMs = 24 * 3_600_000;

/**
 * When something happened, as the platform dates it; now where it gives no time, or one that cannot be.
 * Milliseconds since the epoch.
 */
export function datedAt(at: number | null, now: number): Date {
  return new Date(Math.min(datedBy(at, now)?.getTime() ?? now, now));
}

/** The same by the platform's clock; null: it gives no time, or one that cannot be. */
export function datedBy(at: number | null, now: number): Date | null {
  return at === null || at < now - oldMs || at > now + aheadMs ? null : new Date(at);
}

/** Whether the agent's part is over by that. */
export function isEnd({ event }: Pick<PlatformNews, 'event'>): boolean {
  return event === 'ended' || event === 'transferred';
}
