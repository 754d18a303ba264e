import type { AgentStateView } from '../contract/agents.ts';
import type { CallView } from '../contract/calls.ts';
import type { ClickToDialOffer, CrmScreenPop, OfferRescinded } from '../contract/socket.ts';
import type { AgentId, CompanyId, Lease, NodeId, SessionId } from '../domain/ids.ts';
import type { Presence } from '../domain/presence.ts';
import type { Clock } from '../ports/clock.ts';
import type { NodeChannel } from '../ports/nodeChannel.ts';
import type { ClaimedPresence, OfferOutcome } from '../ports/softphones.ts';

/** A gateway that does not even confirm an offer's receipt within this time is gone or stands still. Milliseconds. */
const receiptWithinMs = 700;
/** How much earlier than that nothing is shown any more: the clocks of two gateways, and the way to the screen. Milliseconds. */
const shownBeforeMs = 150;
/** Most softphones have answered by then, and their answer is receipt enough. Milliseconds. */
const receiptAfterMs = 200;
/** And is not asked again for so long, unless it is heard of: one that lags must not cost each click its time. */
const silentForMs = 2_000;
const sendAgainMs = 100;
/** What the way back may take beyond the time that the softphone has. Milliseconds. */
const returnWithinMs = 300;

/** What the gateway of a softphone does with what it is told. */
export type LocalSoftphones = {
  showOffer(request: OfferToShow): Promise<OwnerOutcome>;
  take(notice: OwnerNotice): void;
};

/** Within this time of being asked a gateway has shown an offer, or does not show it. Milliseconds. */
export function showWithinMs(timeoutMs: number): number {
  return Math.min(receiptWithinMs, timeoutMs) - shownBeforeMs;
}

/** To and from the other gateways. */
export interface NodeLink {
  /** Asks a gateway to show an offer on a softphone of its own. */
  offer(to: NodeId, request: OfferToShow): Promise<OwnerOutcome>;
  /** Tells a gateway what concerns a softphone of its own; a failure is reported, nobody waits. */
  tell(to: NodeId, notice: OwnerNotice): void;
  /** Takes a message of another gateway. */
  receive(text: string): void;
  /** From now on messages leave by this channel; before, and in a gateway that is alone, none can. */
  connect(channel: NodeChannel): void;
}

type Waiting = { received(): void; settle(outcome: OwnerOutcome): void };

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
  /** Until when gateways are passed over that did not confirm a receipt. */
  const silentUntil = new Map<NodeId, number>();

  async function send(to: NodeId, message: NodeMessage): Promise<boolean> {
    if (channel === null) throw new Error('there is no channel to the other gateways');
    return channel.send(to, JSON.stringify(message));
  }

  function post(to: NodeId, message: NodeMessage): void {
    send(to, message).catch((error: unknown) => onProblem('another gateway could not be told', error));
  }

  /** After a restart of the transport a gateway that lives may not listen yet. */
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
        waiting.get(id)?.settle(unreachable('the gateways cannot reach each other'));
        throw error;
      }
      return outcome;
    },

    receive(text) {
      const message = JSON.parse(text) as NodeMessage;
      switch (message.kind) {
        case 'offer':
          answer(message).catch((error: unknown) => onProblem('an offer of another gateway could not be answered', error));
          return;
        case 'offer_received':
          silentUntil.delete(message.from);
          waiting.get(message.id)?.received();
          return;
        case 'offer_outcome':
          silentUntil.delete(message.from);
          waiting.get(message.id)?.settle(message.outcome);
          return;
        default:
          owner.take(message);
      }
    },
  };

  function waitFor(id: string, to: NodeId, timeoutMs: number): Promise<OwnerOutcome> {
    return new Promise((resolve) => {
      const settle = (outcome: OwnerOutcome) => {
        isAnswered = true;
        cancel();
        waiting.delete(id);
        resolve(outcome);
      };
      const giveUp = () => {
        if (isAnswered) return;
        silentUntil.set(to, clock.now() + silentForMs);
        settle(unreachable(silent));
      };
      let isAnswered = false;
      // Not before what has arrived is read: it may be this gateway that stood still.
      let cancel = clock.after(Math.min(receiptWithinMs, timeoutMs), () => void setImmediate(giveUp));
      waiting.set(id, {
        received() {
          isAnswered = true;
          cancel();
          cancel = clock.after(timeoutMs + returnWithinMs, () =>
            settle({ kind: 'undelivered', detail: 'no answer of the softphone’s gateway' }),
          );
        },
        settle,
      });
    });
  }
}

const silent = 'the softphone’s gateway is gone or stands still';

function unreachable(detail: string): OwnerOutcome {
  return { kind: 'unreachable', detail };
}

/** What came of an offer at the gateway that was asked; `moved`: the softphone is connected to another one by now. */
export type OwnerOutcome = OfferOutcome | { kind: 'moved' };

export type OfferRequest = {
  claimed: ClaimedPresence;
  pop: CrmScreenPop;
  dial: ClickToDialOffer;
  /** How long the softphone may take to acknowledge. Milliseconds. */
  timeoutMs: number;
};

/** An offer on its way to the gateway of the softphone. */
export type OfferToShow = OfferRequest & {
  /** Who asks may have given up from then on: nothing is shown any more. Milliseconds of the presence store's clock. */
  showBy: number;
};

/** What is told to the gateway that an agent's softphone is connected to. */
export type OwnerNotice =
  | { kind: 'rescind'; agentId: AgentId; rescinded: OfferRescinded }
  | { kind: 'pop'; agentId: AgentId; pop: CrmScreenPop }
  /** `lease`: whose change it is, also where the agent has logged out and holds none any more. */
  | { kind: 'agent'; agentId: AgentId; lease: Lease | null; presence: Presence; state: AgentStateView }
  | { kind: 'call'; companyId: CompanyId; agentId: AgentId; call: CallView }
  /** The agent's telephone account has changed. */
  | { kind: 'account'; agentId: AgentId }
  /** Another connection has taken the softphone over; `session`: which one it is of. */
  | { kind: 'taken'; agentId: AgentId; lease: Lease; session: SessionId };

/** From gateway to gateway, as JSON. A gateway passes over kinds that it does not know: it may be the older one. */
type NodeMessage =
  | OwnerNotice
  | { kind: 'offer'; id: string; from: NodeId; request: OfferToShow }
  | { kind: 'offer_received'; id: string; from: NodeId }
  | { kind: 'offer_outcome'; id: string; from: NodeId; outcome: OwnerOutcome };
