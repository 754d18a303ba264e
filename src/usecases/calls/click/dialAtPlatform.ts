import type { ClickToDialAnswer } from '../../../contract/clickToDial.ts';
import { platformName } from '../../../contract/platforms.ts';
import type { Call, OfPlatform } from '../../../domain/calls.ts';
import { nextRound } from '../../../domain/platformRounds.ts';
import { refuse, type Refused } from '../../../domain/outcome.ts';
import type { CreatedCall, HeldKey } from '../../../ports/calls.ts';
import type { DialedFor, PlatformDialed } from '../../../ports/cti.ts';
import { changePresence } from '../../agents/changePresence.ts';
import { holdKey, rememberForMs } from '../../concurrency/idempotencyKey.ts';
import { retryUntilSuccess } from '../../concurrency/retryUntilSuccess.ts';
import { withDeadline } from '../../concurrency/withDeadline.ts';
import type { CallServices, Services } from '../../services.ts';
import { callPop } from '../lifecycle/callPop.ts';
import { describeDial, type OfferedDial } from './attemptDial.ts';
import { tooSlow } from './dialEndings.ts';
import { type Claimed, releaseAgent } from './dialFate.ts';

/** What is left of a click's time for the record. Milliseconds. */
const recordWithinMs = 700;

type Needs = CallServices & Pick<Services, 'ctiConnections' | 'platformAgents' | 'platformDialer'>;

/**
 * How it ended. `refused`: nothing was dialed, nor will be, and the agent is free again; another may be asked.
 * `unknown`: the platform may be calling; the agent stays reserved until the claim lapses or the platform tells of the
 * call, and the key stays held: nobody dials again.
 */
export type PlatformAttempt =
  | { kind: 'recorded'; call: Call; answer: ClickToDialAnswer }
  | { kind: 'refused'; refusal: Refused }
  | { kind: 'unknown'; refusal: Refused };

/**
 * The platform that dials for a claimed agent; null: its softphone does. The platform that sets the agent's state,
 * where the company said that it dials; of an agent with a state of its own, one that tells of calls alone.
 */
export async function platformThatDials(
  services: Pick<Services, 'platformAgents' | 'companyOf'>,
  { agentId, companyId, platform }: Claimed,
): Promise<DialedFor | null> {
  if (platform !== null && platform.dialsBy !== 'platform') return null;
  if (!(await services.companyOf(companyId)).hasPlatforms) return null;
  return services.platformAgents.dialedFor(companyId, agentId);
}

/**
 * Has a platform call the customer for a claimed agent, once, and records its call. The request that dials cannot be
 * taken back, so that it comes last of all that may fail; what comes after it is done until it succeeds.
 * @param key its answer is remembered with the call
 * @param deadline when the click is to be answered, in milliseconds since the epoch
 */
export async function dialAtPlatform(
  services: Needs,
  claimed: Claimed,
  through: DialedFor,
  { offered, key, deadline }: { offered: OfferedDial; key: HeldKey | null; deadline: number },
): Promise<PlatformAttempt> {
  const { clock, platformDialer } = services;
  const name = platformName(through.connection.connector);
  const ready = await withDeadline(clock, deadline - recordWithinMs, prepare(services, claimed, offered, key)).catch(
    async (error: unknown) => {
      await release(services, claimed);
      throw error;
    },
  );
  if (ready === null) {
    await release(services, claimed);
    return { kind: 'refused', refusal: tooSlow };
  }
  const { companyId, callId } = claimed;
  const dialed = await platformDialer.dial(
    { through, phone: offered.phone, callId },
    Math.max(0, deadline - recordWithinMs - clock.now()),
  );
  if (dialed.kind === 'unknown') {
    services.observer.problem('it is not known whether a platform dials', null, {
      company_id: companyId,
      call_id: callId,
    });
    return { kind: 'unknown', refusal: outcomeUnknown(name, dialed.said) };
  }
  if (dialed.kind !== 'accepted') {
    await giveBack(services, claimed, dialed);
    return { kind: 'refused', refusal: refusalOf(name, dialed) };
  }
  return record(services, claimed, { ...ready, through, platformCallId: dialed.callId, offered, key, deadline });
}

type Described = Awaited<ReturnType<typeof describeDial>>;

/** All that may fail before anything is dialed. */
async function prepare(
  services: Needs,
  claimed: Claimed,
  offered: OfferedDial,
  key: HeldKey | null,
): Promise<Described | null> {
  const described = await describeDial(services, claimed, offered);
  // Should this process die now, nobody dials a second time under the key.
  return key === null || (await holdKey(services, claimed.companyId, key)) ? described : null;
}

type Accepted = Described & {
  through: DialedFor;
  platformCallId: string | null;
  offered: OfferedDial;
  key: HeldKey | null;
  deadline: number;
};

/** The call is made: it is recorded and the agent is on it, however often that takes to be tried. */
async function record(services: Needs, claimed: Claimed, accepted: Accepted): Promise<PlatformAttempt> {
  const { answer, deadline, events, key, offered, through } = accepted;
  const { agentId, claimId, companyId } = claimed;
  const { connector } = through.connection;
  const { createdAt } = accepted.call;
  const platform: OfPlatform = {
    source: connector,
    callId: accepted.platformCallId,
    round: 0,
    at: createdAt,
    rangAt: null,
    endedAt: null,
  };
  const call: Call = { ...accepted.call, platform };
  const remember =
    key === null
      ? undefined
      : { key, status: 201, body: answer, expiresAt: new Date(call.createdAt.getTime() + rememberForMs) };
  const created: { how: CreatedCall | null } = { how: null };
  const recording = retryUntilSuccess(services, 'a call that a platform makes could not be recorded', async () => {
    platform.round = await roundOf(services, call, accepted.platformCallId);
    created.how = await services.calls.create(call, events, { remember, override: offered.override });
    services.wakeDispatcher(companyId);
  });
  const onlyForCall = claimed.platform === null;
  void retryUntilSuccess(services, 'an agent could not be passed to its platform', () =>
    changePresence(services, companyId, agentId, { type: 'pass_to_platform', claimId, connector, onlyForCall }),
  );
  await withDeadline(services.clock, Math.max(deadline, services.clock.now() + recordWithinMs), recording);
  if (created.how !== 'created') {
    return {
      kind: 'unknown',
      refusal: outcomeUnknown(platformName(connector), 'The call is made, and is not recorded yet.'),
    };
  }
  services.softphones.pop(companyId, agentId, callPop(services, call, offered.pop));
  return { kind: 'recorded', call, answer };
}

/**
 * The platform may use again the id of a call that was over before this one.
 * What began since is this one, told of before its record.
 */
async function roundOf(
  { calls }: Needs,
  { agentId, companyId, createdAt, platform }: Call,
  platformCallId: string | null,
): Promise<number> {
  if (platform === null || platformCallId === null) return 0;
  const rounds = (await calls.ofPlatform(companyId, platform.source, platformCallId)).filter(
    (one) => one.agentId === agentId,
  );
  return nextRound(rounds.filter((one) => one.endedAt !== null && one.endedAt < createdAt));
}

/** Nothing was dialed. The agent whom the platform refused is asked last from now on; others are as they were. */
async function giveBack(services: Needs, claimed: Claimed, { kind }: PlatformDialed): Promise<void> {
  if (kind === 'unavailable') return release(services, claimed);
  const { agentId, claimId, companyId } = claimed;
  await retryUntilSuccess(services, 'an agent could not be released from a click', () =>
    changePresence(services, companyId, agentId, { type: 'fail_offer', claimId, reason: 'rejected' }),
  );
}

async function release(services: Needs, claimed: Claimed): Promise<void> {
  await retryUntilSuccess(services, 'an agent could not be released from a click', () =>
    releaseAgent(services, claimed),
  );
}

function refusalOf(name: string, { kind, said: words }: Extract<PlatformDialed, { said: string }>): Refused {
  return kind === 'refused'
    ? refuse('agent_not_ready', `${name} did not take the dial: ${words}`, {
        retryAfterSeconds: 2,
        cause: { code: 'platform_refused', params: { name, words } },
      })
    : refuse('dependency_unavailable', `${name} cannot dial at the moment: ${words}`, {
        retryAfterSeconds: 5,
        cause: { code: 'platform_unavailable', params: { name, words } },
      });
}

function outcomeUnknown(name: string, words: string): Refused {
  return refuse(
    'outcome_unknown',
    `Nobody knows whether ${name} makes the call: ${words} It is not dialed again under this Idempotency-Key; ` +
      'if it is made, its events tell.',
    {
      retryAfterSeconds: 5,
      cause: { code: 'platform_outcome_unknown', params: { name, words } },
    },
  );
}

/** Whether a click was refused that a platform may be dialing all the same. */
export function mayBeDialed({ cause }: Refused): boolean {
  return cause?.code === 'platform_outcome_unknown';
}
