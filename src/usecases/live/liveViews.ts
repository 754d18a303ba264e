import type { ClickTally, LiveCall } from '../../contract/live.ts';
import type { Call } from '../../domain/calls.ts';
import type { CallInProgress, CallStore } from '../../ports/calls.ts';
import type { QuarterOfClicks, Wallboard } from '../../ports/wallboard.ts';
import { recordOf } from '../views/callView.ts';

/** A quarter of an hour of clicks as the wallboard shows it. */
export function clickTally({ at, counts }: QuarterOfClicks): ClickTally {
  return {
    at: at.toISOString(),
    dialed: counts.dialed,
    no_ready_agent: counts.noReadyAgent,
    agent_not_ready: counts.agentNotReady,
    failed: counts.failed,
  };
}

/** A call as the wallboard shows it. */
export function liveCall(call: CallInProgress): LiveCall {
  return {
    id: call.id,
    agent_id: call.agentId,
    direction: call.direction,
    trigger: call.trigger,
    state: call.state,
    phone: call.phone,
    caller: call.caller,
    name: call.name,
    external_system: call.externalSystem,
    record_url: call.recordUrl,
    source: call.source,
    handed_on_by: call.handedOnBy,
    created_at: call.createdAt.toISOString(),
    answered_at: call.answeredAt?.toISOString() ?? null,
    version: call.version,
  };
}

/** The same, from a whole call. */
export function liveCallOf(call: Call): LiveCall {
  return liveCall({
    ...call,
    source: call.platform?.source ?? null,
    handedOnBy: call.transferredFrom?.name ?? null,
    name: call.screenPop?.name ?? null,
    ...recordOf(call),
  });
}

/** The store, which shows the supervisors every change that it has made. */
export function watchedCalls(store: CallStore, wallboard: Wallboard): CallStore {
  return {
    ...store,
    async create(call, events, creation) {
      const created = await store.create(call, events, creation);
      if (created === 'created') wallboard.callChanged(call.companyId, () => liveCallOf(call));
      return created;
    },
    async commit(next, events, consequences) {
      const committed = await store.commit(next, events, consequences);
      if (committed !== 'conflict') wallboard.callChanged(next.companyId, () => liveCallOf(committed));
      return committed;
    },
    async commitScreenPop(next) {
      const committed = await store.commitScreenPop(next);
      if (committed !== 'conflict') wallboard.callChanged(next.companyId, () => liveCallOf(committed));
      return committed;
    },
    async commitCaller(next, step) {
      const committed = await store.commitCaller(next, step);
      if (committed !== 'conflict') wallboard.callChanged(next.companyId, () => liveCallOf(committed));
      return committed;
    },
  };
}
