import { type EndpointHealth, healthAfter } from '../../../domain/endpointHealth.ts';
import { nextAttemptDelay } from '../../../domain/retrySchedule.ts';
import type { CallLogProgress, CallLogSettlement, LeasedCallLog, PreparedLog } from '../../../ports/callLog.ts';
import type { CrmAccount, CrmConnection, CrmTrouble, HoldReason } from '../../../ports/crm.ts';
import type { CallLog, Site } from '../../../providers/provider.ts';
import type { Lane, Sent } from '../../deliveries/lane.ts';
import type { Services } from '../../services.ts';
import { openAccount } from '../crmAccount.ts';
import { readAnswer } from '../searchRecords.ts';
import { type Exchange, nothingShown, recordExchanges, type Shown } from './exchanges.ts';
import { createOwners, forgetOwners, type Owners, prepareLog, wrapUpUntil } from './prepareLog.ts';
import { createQueueGroups } from './queueGroups.ts';
import { type Told, type Trouble, wordsOf } from './troubles.ts';

/** Between two looks for an entry that an attempt may have written: CRM systems find new records late. Milliseconds. */
const lookAgainMs = 30_000;
/** After the end of a wrap-up: its disposition may be under way. Milliseconds. */
const afterWrapUpMs = 2_000;
/** When the CRM allows no more requests and does not say for how long; and at most. Milliseconds. */
const [usualRateWaitMs, longestRateWaitMs] = [10_000, 900_000];

type Needs = Pick<
  Services,
  | 'agents'
  | 'callLog'
  | 'calls'
  | 'cipher'
  | 'clock'
  | 'crm'
  | 'crmConnections'
  | 'crmProviders'
  | 'nodeId'
  | 'observer'
  | 'presence'
  | 'companyOf'
>;

/** An attempt to log a call that is over and not yet written down. */
export type SentCallLog = Sent & { settlement: CallLogSettlement; pauseMs: number | null };

type Step =
  /** The entry is there; `kept`: the CRM keeps entries as they were written, or keeps none of this call. */
  | { kind: 'done'; progress: CallLogProgress; kept?: Trouble }
  /** Not at fault of anybody: again then. */
  | { kind: 'later'; progress: CallLogProgress; dueAt: number; why: Trouble | null }
  /** It was not tried, or not to its end: the CRM is left alone until then. Milliseconds since the epoch. */
  | { kind: 'held_back'; progress: CallLogProgress; why: HoldReason; until: number }
  | { kind: 'failed'; progress: CallLogProgress; trouble: CrmTrouble }
  /** It will never be logged. */
  | { kind: 'never'; progress: CallLogProgress; why: Trouble }
  /** Somebody else serves the CRM by now. */
  | { kind: 'lost' };

/**
 * Calls that are logged in CRM systems, as the dispatcher sends them;
 * and `forget`, when a company's connection has changed.
 */
export function callLogLane(services: Needs): {
  lane: Lane<LeasedCallLog, SentCallLog>;
  forget: (companyId: LeasedCallLog['companyId']) => void;
} {
  const { callLog, crmConnections, nodeId } = services;
  const owners = createOwners();
  return {
    forget: (companyId) => forgetOwners(owners, companyId),
    lane: {
      kind: 'CRM',
      // So many that several providers may hang at once; in small portions, so that none takes far more than its share.
      maxSending: 512,
      leaseAtMost: 128,
      createGroups: createQueueGroups,
      lease: (request) => callLog.lease(request),
      renew: (holder, companyIds, leaseUntil) => callLog.renew(holder, companyIds, leaseUntil),
      release: (holder, butFor) => callLog.release(holder, butFor),
      putOff: (holder, key, until) => callLog.putOff(holder, key, until),
      send: (delivery) => logCall(services, owners, delivery),
      settle: (_delivery, { settlement }) => callLog.settle(nodeId, settlement),
      async noteHealth({ companyId }, sent) {
        const connection = await crmConnections.changeHealth(companyId, (health) => healthOf(health, sent));
        if (connection === null) return null;
        return { pausedUntil: connection.health.pausedUntil, disabled: connection.attention };
      },
    },
  };
}

/** A CRM that does not answer is left alone for a while, and never given up. */
function healthOf(health: EndpointHealth, { verdict, startedAt, latencyMs, pauseMs }: SentCallLog): EndpointHealth {
  const endedAt = new Date(startedAt.getTime() + latencyMs);
  if (pauseMs !== null) {
    return {
      ...health,
      pausedUntil: new Date(Math.max(endedAt.getTime() + pauseMs, health.pausedUntil?.getTime() ?? 0)),
    };
  }
  const after = healthAfter({ ...health, disabled: null }, { verdict, startedAt, endedAt });
  return { ...after, disabled: null };
}

/** Tries once to log a call. Null: the lease was lost, and nothing was sent. */
async function logCall(services: Needs, owners: Owners, delivery: LeasedCallLog): Promise<SentCallLog | null> {
  const { clock, crmConnections, observer } = services;
  const { companyId, id, progress } = delivery;
  const startedAt = new Date(clock.now());
  const connection = await crmConnections.find(companyId);
  const account = connection === null ? null : await openAccount(services, companyId, connection);
  // It waits until an admin has given them anew.
  if (account === 'sealed') return null;
  const exchanges = account === null ? null : recordExchanges(services, account);
  const step: Step =
    account === null || connection === null || exchanges === null
      ? { kind: 'never', progress, why: { cause: { code: 'crm_disconnected' } } }
      : ((await heldBack(services, delivery, account)) ??
        (await nextStep(services, delivery, { account, connection, owners, exchange: exchanges.exchange })));
  if (step.kind === 'lost') return null;
  if (step.kind === 'failed' && step.trouble.kind === 'unauthorized' && connection !== null) {
    await crmConnections.noteAttention(companyId, connection, step.trouble.message);
  }
  const name = account?.provider.name ?? '';
  const fate = fateOf(step, delivery.attempts, clock.now());
  observer.crmWriteBack(account?.provider.id ?? 'none', fate.tells, clock.now() - startedAt.getTime());
  const latencyMs = clock.now() - startedAt.getTime();
  const shown: Shown = exchanges?.shown() ?? nothingShown;
  const wasTried = !fate.isHeldBack && (shown.method !== null || fate.why !== null);
  const words = fate.why === null ? null : wordsOf(name, fate.why);
  return {
    verdict: fate.verdict,
    isTelling: fate.isHeldBack ? fate.pauseMs !== null : shown.method !== null || fate.verdict === 'failed',
    startedAt,
    latencyMs,
    pauseMs: fate.pauseMs,
    settlement: {
      companyId,
      id,
      attempt: wasTried
        ? {
            number: delivery.attempts + 1,
            startedAt,
            latencyMs,
            ...shown,
            error: words?.sentence ?? null,
            cause: words?.cause ?? null,
          }
        : null,
      attempts: delivery.attempts + (fate.counts ? 1 : 0),
      outcome: fate.outcome,
      progress: step.progress,
    },
  };
}

/** While the CRM is left alone nothing is tried, or prepared; null: it may be asked. */
async function heldBack(
  { crm }: Needs,
  { companyId, progress }: LeasedCallLog,
  { provider }: CrmAccount,
): Promise<Step | null> {
  const pause = await crm.pauseOf(companyId, provider.id);
  return pause === null ? null : { kind: 'held_back', progress, ...pause };
}

type At = { account: CrmAccount; exchange: Exchange };

/** Finds out what is to be done, does it, and tells how far it got. */
async function nextStep(
  services: Needs,
  delivery: LeasedCallLog,
  { account, connection, owners, exchange }: At & { connection: CrmConnection; owners: Owners },
): Promise<Step> {
  const { progress } = delivery;
  const { provider } = account;
  if (progress.prepared !== null) {
    if (progress.prepared.provider !== provider.id)
      return { kind: 'never', progress, why: { cause: { code: 'crm_disconnected' } } };
    return write(services, delivery, { account: frozen(account, progress.prepared), exchange }, progress.prepared);
  }
  const found = await services.calls.find(delivery.companyId, delivery.callId);
  if (found.kind !== 'found') return { kind: 'never', progress, why: { cause: { code: 'crm_call_gone' } } };
  const call = found.value;
  const busyUntil = call.disposition === null ? await wrapUpUntil(services, call) : null;
  if (busyUntil !== null) return { kind: 'later', progress, dueAt: busyUntil + afterWrapUpMs, why: null };
  const prepared = await prepareLog(services, { account, connection, owners, exchange }, call);
  if (prepared.kind === 'failed') return { kind: 'failed', progress, trouble: prepared.trouble };
  return write(
    services,
    { ...delivery, progress: { ...progress, prepared: prepared.log } },
    { account, exchange },
    prepared.log,
  );
}

/** The account as it was when the log was prepared, so that requests stay the same. */
function frozen(account: CrmAccount, { facts, options }: PreparedLog): CrmAccount {
  return { ...account, site: { ...account.site, facts, options } };
}

/** Writes the entry, changes the one that is there, or looks for the one that may be. */
async function write(services: Needs, delivery: LeasedCallLog, at: At, prepared: PreparedLog): Promise<Step> {
  const { companyId, callId, sequence, progress } = delivery;
  const { provider, site } = at.account;
  const log = provider.logRequests as CallLog<unknown>;
  if (progress.entryId !== null) return change(progress, at, prepared, progress.entryId);
  const earlier = await services.callLog.earlier(companyId, callId, sequence, provider.id);
  if (earlier.entryId !== null) return change(progress, at, prepared, earlier.entryId);
  const maySent = progress.sentAt !== null || earlier.maySent;
  if (maySent && log.find !== null && !isRefusedTwice(log, site, progress, services.clock.now())) {
    const looked = await look(progress, at, prepared, services.clock.now());
    if (looked.kind !== 'absent') return looked;
  }
  return create(services, delivery, at, prepared);
}

/** Whether the provider itself refuses or merges a repeat, at this site and by now. */
function isRefusedTwice(
  log: CallLog<unknown>,
  { facts }: Site<unknown>,
  { sentAt }: CallLogProgress,
  now: number,
): boolean {
  if (log.once !== 'native' || (log.prepare !== undefined && facts[log.prepare.fact] !== 'yes')) return false;
  return log.nativeForMs === undefined || (sentAt !== null && now - sentAt.getTime() < log.nativeForMs);
}

/** Looks for the entry of an earlier attempt: twice, with 30 s between. `absent`: it is not there. */
async function look(
  progress: CallLogProgress,
  at: At,
  prepared: PreparedLog,
  now: number,
): Promise<Step | { kind: 'absent' }> {
  if (progress.notFoundAt !== null && now - progress.notFoundAt.getTime() < lookAgainMs) {
    return { kind: 'later', progress, dueAt: progress.notFoundAt.getTime() + lookAgainMs, why: null };
  }
  const entryId = await find(at, prepared);
  if (entryId.kind === 'failed') return { kind: 'failed', progress, trouble: entryId.trouble };
  if (entryId.value !== null) return finish({ ...progress, entryId: entryId.value }, at, prepared, entryId.value);
  if (progress.notFoundAt !== null) return { kind: 'absent' };
  return {
    kind: 'later',
    progress: { ...progress, notFoundAt: new Date(now) },
    dueAt: now + lookAgainMs,
    why: { cause: { code: 'crm_looks_again', params: { name: at.account.provider.name } } },
  };
}

async function find({ account, exchange }: At, { call, record, place }: PreparedLog) {
  const { logRequests: log } = account.provider;
  if (log.find === null) return { kind: 'read' as const, value: null };
  const answer = await exchange(log.find(call, record, account.site, place));
  if (answer.kind === 'failed' && answer.trouble.kind === 'not_found') return { kind: 'read' as const, value: null };
  return readAnswer(answer, (response) => log.parseFound(response, call));
}

async function create(
  { callLog, clock, nodeId }: Needs,
  { progress, ...key }: LeasedCallLog,
  at: At,
  prepared: PreparedLog,
): Promise<Step> {
  const { account, exchange } = at;
  const { logRequests: log, name } = account.provider;
  const { call, record, place } = prepared;
  const request = log.create(call, record, account.site, place);
  if (request === null)
    return { kind: 'done', progress, kept: { cause: { code: 'crm_keeps_none', params: { name } } } };
  // The first time counts for how long the provider refuses a repeat.
  const sending = { ...progress, prepared, sentAt: progress.sentAt ?? new Date(clock.now()), notFoundAt: null };
  if (!(await callLog.note(nodeId, key, sending))) return { kind: 'lost' };
  const answer = await exchange(request);
  if (answer.kind === 'failed') {
    const { trouble } = answer;
    if (trouble.kind === 'exists') {
      const found = await find(at, prepared);
      if (found.kind === 'failed') return { kind: 'failed', progress: sending, trouble: found.trouble };
      return finish({ ...sending, entryId: found.value ?? call.id }, at, prepared, found.value ?? call.id);
    }
    const mayBeWritten = trouble.kind === 'unavailable' || (trouble.kind === 'no_answer' && trouble.isUnknown);
    return { kind: 'failed', progress: mayBeWritten ? sending : { ...sending, sentAt: progress.sentAt }, trouble };
  }
  const entryId = readAnswer(answer, (response) => log.parseCreated(response, call));
  if (entryId.kind === 'failed') return { kind: 'failed', progress: sending, trouble: entryId.trouble };
  return finish({ ...sending, entryId: entryId.value }, at, prepared, entryId.value);
}

/** Completes an entry that was written, where the provider takes a second step. */
async function finish(
  progress: CallLogProgress,
  { account, exchange }: At,
  { call, record }: PreparedLog,
  entryId: string,
): Promise<Step> {
  const request = account.provider.logRequests.finish?.(entryId, call, record, account.site) ?? null;
  if (request === null) return { kind: 'done', progress };
  const answer = await exchange(request);
  if (answer.kind === 'failed' && answer.trouble.kind !== 'exists')
    return { kind: 'failed', progress, trouble: answer.trouble };
  return { kind: 'done', progress };
}

/** Writes what is new into the entry that is there. */
async function change(progress: CallLogProgress, at: At, prepared: PreparedLog, entryId: string): Promise<Step> {
  const { account, exchange } = at;
  const { logRequests: log, name } = account.provider;
  const known = { ...progress, prepared, entryId };
  const request = log.update?.(entryId, prepared.call, prepared.record, account.site) ?? null;
  if (request === null) {
    return progress.entryId === null
      ? { kind: 'done', progress: known, kept: { cause: { code: 'crm_keeps_entries', params: { name } } } }
      : finish(known, at, prepared, entryId);
  }
  const answer = await exchange(request);
  if (answer.kind === 'failed') return { kind: 'failed', progress: known, trouble: answer.trouble };
  return finish(known, at, prepared, entryId);
}

type Fate = {
  outcome: CallLogSettlement['outcome'];
  verdict: Sent['verdict'];
  counts: boolean;
  why: Trouble | null;
  /** None of the company's calls is logged for so long: the CRM asks for it, or allows no more. */
  pauseMs: number | null;
  /** It was not tried: no attempt, and nothing is told of it. */
  isHeldBack: boolean;
  /** For the metric. */
  tells: string;
};

function fateOf(step: Exclude<Step, { kind: 'lost' }>, attempts: number, now: number): Fate {
  const fine = { verdict: 'delivered', counts: true, pauseMs: null, isHeldBack: false } as const;
  switch (step.kind) {
    case 'done':
      return { ...fine, outcome: { state: 'delivered' }, why: step.kept ?? null, tells: 'logged' };
    case 'later':
      return {
        ...fine,
        counts: false,
        outcome: { state: 'pending', dueAt: new Date(step.dueAt) },
        why: step.why,
        tells: 'later',
      };
    case 'never':
      return { ...fine, outcome: { state: 'dead' }, why: step.why, tells: 'never' };
    case 'held_back': {
      // What this gateway alone has found out holds back no other one.
      const pauseMs = step.why === 'no_answer' ? null : step.until - now;
      return {
        verdict: 'failed',
        counts: false,
        why: null,
        pauseMs,
        isHeldBack: true,
        tells: 'held_back',
        outcome: { state: 'pending', dueAt: new Date(step.until) },
      };
    }
    case 'failed':
      return step.trouble.kind === 'held_back'
        ? fateOf(
            {
              kind: 'held_back',
              progress: step.progress,
              why: step.trouble.why,
              until: now + step.trouble.retryAfterMs,
            },
            attempts,
            now,
          )
        : fateOfTrouble(step.trouble, attempts, now);
  }
}

/** By what went wrong: who may mend it, and whether time does. */
function fateOfTrouble(trouble: Told, attempts: number, now: number): Fate {
  const why = { trouble };
  const failed = {
    verdict: 'failed',
    counts: true,
    why,
    pauseMs: null,
    isHeldBack: false,
    tells: trouble.kind,
  } as const;
  switch (trouble.kind) {
    case 'unauthorized':
      // It waits for the admin; the connection's need for attention holds it back.
      return { ...failed, counts: false, outcome: { state: 'pending', dueAt: new Date(now) } };
    case 'rate_limited': {
      const pauseMs = Math.min(Math.max(trouble.retryAfterMs ?? usualRateWaitMs, 1_000), longestRateWaitMs);
      return { ...failed, counts: false, pauseMs, outcome: { state: 'pending', dueAt: new Date(now + pauseMs) } };
    }
    case 'forbidden':
    case 'invalid':
    case 'not_found':
    case 'exists':
      return { ...failed, verdict: 'delivered', outcome: { state: 'dead' } };
    case 'unavailable':
    case 'no_answer': {
      const delayMs = nextAttemptDelay(attempts + 1, Math.random());
      return {
        ...failed,
        outcome: delayMs === null ? { state: 'dead' } : { state: 'pending', dueAt: new Date(now + delayMs) },
      };
    }
  }
}
