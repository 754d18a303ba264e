import type { AgentStateView } from '../contract/agents.ts';
import type { CallView } from '../contract/calls.ts';
import type {
  ClickToDialOffer,
  CrmScreenPop,
  ListenerJoins,
  ListenerNews,
  OfferRescinded,
  TransferEnded,
  TransferOffer,
} from '../contract/socket.ts';
import type { AgentId, CompanyId, Lease, NodeId, SessionId } from '../domain/ids.ts';
import type { Presence } from '../domain/presence.ts';
import type { Clock } from '../ports/clock.ts';
import type { NodeChannel } from '../ports/nodes.ts';
import type { ClaimedPresence, ListenOffer, TaskNews, TransferOfferOutcome } from '../ports/softphones.ts';

/** A gateway that does not confirm receipt of an offer within this time is dead or stalled. Milliseconds. */
const receiptWithinMs = 700;
/**
 * An offer is no longer shown this long before that deadline: allows for clock difference and the way to
 * the screen. Milliseconds.
 */
const shownBeforeMs = 150;
/** Receipt is confirmed after this time unless the softphone has already answered. Milliseconds. */
const receiptAfterMs = 200;
/**
 * A silent gateway is skipped for this long, or until it is heard from,
 * so that it does not delay every click. Milliseconds.
 */
const silentForMs = 2_000;
const sendAgainMs = 100;
/** An agent's page has gathered its candidates, and its answer is back, within this time. Milliseconds. */
export const listenOfferWithinMs = 5_000;
/** Time for the answer to travel back, beyond the softphone's own time. Milliseconds. */
const returnWithinMs = 300;

/** The side of the gateway that the softphone is connected to. */
export type LocalSoftphones = {
  showOffer(request: OfferToShow): Promise<OwnerOutcome>;
  askToListen(agentId: AgentId, joins: ListenerJoins): Promise<ListenOffer>;
  take(notice: OwnerNotice): void;
};

/** After this time a gateway no longer shows an offer it was asked to show. Milliseconds. */
export function showWithinMs(timeoutMs: number): number {
  return Math.min(receiptWithinMs, timeoutMs) - shownBeforeMs;
}

/** Messages to and from the other gateways. */
export interface NodeLink {
  /** Asks another gateway to show an offer on one of its softphones. */
  offer(to: NodeId, request: OfferToShow): Promise<OwnerOutcome>;
  /** Has another gateway ask one of its softphones; `silent` where neither answers in time. */
  askToListen(to: NodeId, agentId: AgentId, joins: ListenerJoins): Promise<ListenOffer>;
  /** Sends a notice to the gateway of a softphone, without waiting; a failure is logged. */
  tell(to: NodeId, notice: OwnerNotice): void;
  /** Handles a message from another gateway. */
  receive(text: string): void;
  /** Sets the channel for sending; without one (a single gateway) nothing can be sent. */
  connect(channel: NodeChannel): void;
}

type Waiting = { received(): void; answer(outcome: OwnerOutcome): void };

export function createNodeLink(needs: {
  nodeId: NodeId;
  clock: Clock;
  newId: () => string;
  owner: LocalSoftphones;
  onProblem: (message: string, error: unknown) => void;
}): NodeLink {
  const { nodeId, clock, newId, owner, onProblem } = needs;
  let channel: NodeChannel | null = null;
  const waiting = new Map<string, Waiting>();
  const listening = new Map<string, (offer: ListenOffer) => void>();
  /** Until when each silent gateway is skipped. */
  const silentUntil = new Map<NodeId, number>();

  async function send(to: NodeId, message: NodeMessage): Promise<boolean> {
    if (channel === null) throw new Error('there is no channel to the other gateways');
    return channel.send(to, JSON.stringify(message));
  }

  function post(to: NodeId, message: NodeMessage): void {
    send(to, message).catch((error: unknown) => onProblem('another gateway could not be told', error));
  }

  /** Repeats until received: after a restart of Redis a live gateway may not be subscribed yet. */
  async function sendUntilHeard(to: NodeId, message: NodeMessage, isWanted: () => boolean): Promise<void> {
    while (isWanted() && !(await send(to, message))) {
      await new Promise<void>((resolve) => clock.after(sendAgainMs, resolve));
    }
  }

  async function answer({ id, from, request }: Extract<NodeMessage, { kind: 'offer' }>): Promise<void> {
    const cancelReceipt = clock.after(receiptAfterMs, () => post(from, { kind: 'offer_received', id, from: nodeId }));
    const outcome = await owner.showOffer(request).catch((error: unknown): OwnerOutcome => {
      onProblem('an offer of another gateway could not be shown', error);
      return { kind: 'unreachable', detail: 'the softphone’s gateway failed' };
    });
    cancelReceipt();
    post(from, { kind: 'offer_outcome', id, from: nodeId, outcome });
  }

  return {
    connect: (opened) => void (channel = opened),
    tell: post,

    async offer(to, request) {
      if (clock.now() < (silentUntil.get(to) ?? 0)) return unreachable(silent);
      const id = newId();
      const outcome = waitFor(id, to, request.timeoutMs);
      try {
        await sendUntilHeard(to, { kind: 'offer', id, from: nodeId, request }, () => waiting.has(id));
      } catch (error) {
        waiting.get(id)?.answer(unreachable('the gateways cannot reach each other'));
        throw error;
      }
      return outcome;
    },

    askToListen(to, agentId, joins) {
      const id = newId();
      return new Promise((resolve, reject) => {
        const cancel = clock.after(listenOfferWithinMs, () => listening.get(id)?.({ kind: 'silent' }));
        listening.set(id, (offer) => {
          cancel();
          listening.delete(id);
          resolve(offer);
        });
        sendUntilHeard(to, { kind: 'listen', id, from: nodeId, agentId, joins }, () => listening.has(id)).catch(reject);
      });
    },

    receive(text) {
      const message = JSON.parse(text) as NodeMessage;
      switch (message.kind) {
        case 'offer':
          answer(message).catch((error: unknown) =>
            onProblem('an offer of another gateway could not be answered', error),
          );
          return;
        case 'listen': {
          const { agentId, from, id, joins } = message;
          owner.askToListen(agentId, joins).then(
            (offer) => post(from, { kind: 'listen_offer', id, from: nodeId, offer }),
            (error: unknown) => onProblem('a softphone of this gateway could not be asked', error),
          );
          return;
        }
        case 'listen_offer':
          listening.get(message.id)?.(message.offer);
          return;
        case 'offer_received':
          silentUntil.delete(message.from);
          waiting.get(message.id)?.received();
          return;
        case 'offer_outcome':
          silentUntil.delete(message.from);
          waiting.get(message.id)?.answer(message.outcome);
          return;
        default:
          owner.take(message);
      }
    },
  };

  function waitFor(id: string, to: NodeId, timeoutMs: number): Promise<OwnerOutcome> {
    return new Promise((resolve) => {
      const answer = (outcome: OwnerOutcome) => {
        isAnswered = true;
        cancel();
        waiting.delete(id);
        resolve(outcome);
      };
      const giveUp = () => {
        if (isAnswered) return;
        silentUntil.set(to, clock.now() + silentForMs);
        answer(unreachable(silent));
      };
      let isAnswered = false;
      // Read what has already arrived first: it may be this gateway that was stalled.
      let cancel = clock.after(Math.min(receiptWithinMs, timeoutMs), () => void setImmediate(giveUp));
      waiting.set(id, {
        received() {
          isAnswered = true;
          cancel();
          cancel = clock.after(timeoutMs + returnWithinMs, () =>
            answer(unreachable('the softphone’s gateway does not say what came of it')),
          );
        },
        answer,
      });
    });
  }
}

const silent = 'the softphone’s gateway is gone or stands still';

function unreachable(detail: string): OwnerOutcome {
  return { kind: 'unreachable', detail };
}

/** Outcome of an offer at the gateway that was asked; `moved`: the softphone has moved to another gateway. */
export type OwnerOutcome = TransferOfferOutcome | { kind: 'moved' };

/** What an agent is claimed for: a dial, or a call that a colleague hands on. */
export type Offered = { dial: ClickToDialOffer } | { transfer: TransferOffer };

export type OfferRequest = Offered & {
  claimed: ClaimedPresence;
  pop: CrmScreenPop;
  /** How long the softphone may take to acknowledge. Milliseconds. */
  timeoutMs: number;
};

/** An offer as sent to the softphone's gateway. */
export type OfferToShow = OfferRequest & {
  /**
   * After this the asking gateway may have given up, and nothing is shown. Milliseconds by the presence store's clock.
   */
  showBy: number;
};

/** A notice for the gateway that an agent's softphone is connected to. */
export type OwnerNotice =
  | { kind: 'rescind'; agentId: AgentId; rescinded: OfferRescinded }
  | { kind: 'pop'; agentId: AgentId; pop: CrmScreenPop }
  /** `lease` of the session that changed, also when the agent has logged out and holds none any more. */
  | { kind: 'agent'; agentId: AgentId; lease: Lease | null; presence: Presence; state: AgentStateView }
  | { kind: 'call'; companyId: CompanyId; agentId: AgentId; call: CallView }
  | { kind: 'transfer_ended'; agentId: AgentId; ended: TransferEnded }
  | { kind: 'listener'; agentId: AgentId; news: ListenerNews }
  /** A task of the agent's is due, or not any more. */
  | { kind: 'task'; agentId: AgentId; news: TaskNews }
  /** The agent's SIP account has changed. */
  | { kind: 'account'; agentId: AgentId }
  /** Another connection has taken over; `session` is the session of that connection. */
  | { kind: 'taken'; agentId: AgentId; lease: Lease; session: SessionId };

/** Messages between gateways, as JSON. Unknown kinds are ignored: the sender may be newer. */
type NodeMessage =
  | OwnerNotice
  | { kind: 'offer'; id: string; from: NodeId; request: OfferToShow }
  | { kind: 'listen'; id: string; from: NodeId; agentId: AgentId; joins: ListenerJoins }
  | { kind: 'listen_offer'; id: string; from: NodeId; offer: ListenOffer }
  | { kind: 'offer_received'; id: string; from: NodeId }
  | { kind: 'offer_outcome'; id: string; from: NodeId; outcome: OwnerOutcome };
