import type { AgentStateView } from '../contract/agents.ts';
import type { CallView } from '../contract/calls.ts';
import type { ClickToDialOffer, CrmScreenPop, OfferRescinded } from '../contract/socket.ts';
import type { AgentId, CompanyId, Lease, NodeId, SessionId } from '../domain/ids.ts';
import type { Presence } from '../domain/presence.ts';
import type { ClaimedPresence, OfferOutcome } from '../ports/softphones.ts';

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
export type NodeMessage =
  | OwnerNotice
  | { kind: 'offer'; id: string; from: NodeId; request: OfferToShow }
  | { kind: 'offer_received'; id: string; from: NodeId }
  | { kind: 'offer_outcome'; id: string; from: NodeId; outcome: OwnerOutcome };
