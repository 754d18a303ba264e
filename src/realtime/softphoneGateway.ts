import type { AgentId, CompanyId, NodeId } from '../domain/ids.ts';
import type { Presence } from '../domain/presence.ts';
import type { Clock } from '../ports/clock.ts';
import type { PresenceStore } from '../ports/presence.ts';
import type { ClaimedPresence, Softphones, TransferOfferOutcome } from '../ports/softphones.ts';
import type { GatewayBroadcast } from './gatewayBroadcast.ts';
import {
  type LocalSoftphones,
  type NodeLink,
  type OfferRequest,
  type OwnerNotice,
  type OwnerOutcome,
  showWithinMs,
} from './nodeLink.ts';
import type { SoftphoneRegistry } from './softphoneRegistry.ts';

/** How long an offer follows a softphone that is moving to another gateway. Milliseconds. */
const followForMs = 700;
const lookAgainMs = 25;

/** Serve the softphones of this gateway, and, over the link, those of the others. */
export type SoftphoneServers = { local: LocalSoftphones; link: NodeLink };

type Needs = {
  registry: SoftphoneRegistry;
  presence: PresenceStore;
  clock: Clock;
  nodeId: NodeId;
  /** Built from the use cases, which in turn need this gateway; throws before they exist. */
  softphoneServers: () => SoftphoneServers;
  broadcast: GatewayBroadcast;
  onProblem: (message: string, error: unknown) => void;
};

/**
 * Sends what use cases tell to softphones. Messages for one agent go only to the gateway of the softphone; changes that
 * supervisors watch are broadcast to the gateways where somebody watches.
 */
export function createSoftphoneGateway(needs: Needs): Softphones {
  const { registry, presence, nodeId, softphoneServers, broadcast } = needs;

  function tell(owner: NodeId | null, notice: OwnerNotice): void {
    if (owner === nodeId) softphoneServers().local.take(notice);
    else if (owner !== null) softphoneServers().link.tell(owner, notice);
  }

  /** Finds the softphone's gateway, unless it is this one. `told`: a gateway that was told already. */
  function tellOwnerOf(companyId: CompanyId, agentId: AgentId, notice: OwnerNotice, told: NodeId | null = null): void {
    if (registry.find(agentId) !== undefined && told !== nodeId) return softphoneServers().local.take(notice);
    presence.find(companyId, agentId).then(
      (found) => tell(found?.nodeId === told ? null : (found?.nodeId ?? null), notice),
      (error: unknown) => needs.onProblem('a softphone could not be told', error),
    );
  }

  function ask(owner: NodeId, request: OfferRequest): Promise<OwnerOutcome> {
    const toShow = { ...request, showBy: presence.now() + showWithinMs(request.timeoutMs) };
    return owner === nodeId ? softphoneServers().local.showOffer(toShow) : softphoneServers().link.offer(owner, toShow);
  }

  return {
    async offer(claimed, pop, dial, timeoutMs) {
      const outcome = await offerWhereItIs(needs, ask, { claimed, pop, dial, timeoutMs });
      if (outcome.kind === 'unable') throw new Error('every softphone takes dials');
      return outcome;
    },
    offerTransfer: (claimed, pop, transfer, timeoutMs) =>
      offerWhereItIs(needs, ask, { claimed, pop, transfer, timeoutMs }),
    rescind(claimed, rescinded) {
      const { companyId, agentId } = claimed;
      const notice = { kind: 'rescind', agentId, rescinded } as const;
      tell(claimed.nodeId, notice);
      // The softphone may have moved since.
      tellOwnerOf(companyId, agentId, notice, claimed.nodeId);
    },
    pop: (companyId, agentId, pop) => tellOwnerOf(companyId, agentId, { kind: 'pop', agentId, pop }),
    agentChanged(before, after, state) {
      const { companyId, agentId } = after;
      const owner = after.lease === null ? before : after;
      tell(owner?.nodeId ?? null, { kind: 'agent', agentId, lease: owner?.lease ?? null, presence: after, state });
      broadcast.toSupervisors(companyId)?.emit('agent_state_changed', state);
    },
    callChanged: (companyId, agentId, call) =>
      tellOwnerOf(companyId, agentId, { kind: 'call', companyId, agentId, call }),
    async askToListen(companyId, agentId, joins) {
      if (registry.find(agentId) !== undefined) return softphoneServers().local.askToListen(agentId, joins);
      const owner = (await presence.find(companyId, agentId))?.nodeId ?? null;
      if (owner === null || owner === nodeId) return { kind: 'unable' };
      return softphoneServers().link.askToListen(owner, agentId, joins);
    },
    listener: (companyId, agentId, news) => tellOwnerOf(companyId, agentId, { kind: 'listener', agentId, news }),
    transferEnded: (companyId, agentId, ended) =>
      tellOwnerOf(companyId, agentId, { kind: 'transfer_ended', agentId, ended }),
    async task(companyId, agentId, news) {
      if (agentId === null) return broadcast.task(companyId, news);
      const notice = { kind: 'task', agentId, news } as const;
      if (registry.find(agentId) !== undefined) return softphoneServers().local.take(notice);
      tell((await presence.find(companyId, agentId))?.nodeId ?? null, notice);
    },
    messagesChanged: (companyId) => broadcast.messagesChanged(companyId),
    settingsChanged: (companyId) => broadcast.settingsChanged(companyId),
    rightsChanged: (companyId) => broadcast.rightsChanged(companyId),
    accountChanged: (companyId, agentId) => tellOwnerOf(companyId, agentId, { kind: 'account', agentId }),
    disconnect: (companyId, agentId) => broadcast.revoke(companyId, agentId),
  };
}

/** Follows a softphone that moves from one gateway to another while it is being offered a call. */
async function offerWhereItIs(
  { clock, presence }: Needs,
  ask: (owner: NodeId, request: OfferRequest) => Promise<OwnerOutcome>,
  request: OfferRequest,
): Promise<TransferOfferOutcome> {
  const until = clock.now() + Math.min(followForMs, request.timeoutMs);
  let claimed: Presence = request.claimed;
  while (claimed.nodeId !== null) {
    const outcome = await ask(claimed.nodeId, request);
    if (outcome.kind !== 'moved') return outcome;
    const current = await presence.find(claimed.companyId, claimed.agentId);
    if (!isOfferable(current, request.claimed) || clock.now() >= until) break;
    // Its new connection is just being opened: look again in a moment.
    if (current.lease === claimed.lease) await new Promise<void>((resolve) => clock.after(lookAgainMs, resolve));
    claimed = current;
  }
  return { kind: 'unreachable', detail: 'the softphone is not connected' };
}

function isOfferable(current: Presence | null, { claimId }: ClaimedPresence): current is Presence {
  return current?.claimId === claimId && current.connection === 'connected';
}
