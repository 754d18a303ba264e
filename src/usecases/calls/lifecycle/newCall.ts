import type { Direction, Trigger } from '../../../contract/vocabulary.ts';
import type { JsonText } from '../../../contract/jsonText.ts';
import type { ExactScreenPop } from '../../../contract/screenPops.ts';
import type { TransferredFrom } from '../../../contract/calls.ts';
import type { Call, OfPlatform } from '../../../domain/calls.ts';
import { isUuid, type AgentId, type CallId, type CompanyId } from '../../../domain/ids.ts';
import type { PhoneNumber } from '../../../domain/phones/phoneNumbers.ts';

export type CallOrigin = {
  id: CallId;
  companyId: CompanyId;
  agentId: AgentId;
  direction: Direction;
  trigger: Trigger;
  phone: PhoneNumber | null;
  caller?: string | null;
  sipCallId?: string | undefined;
  dialedNumber?: string | null;
  queue?: string | null;
  callerId?: string | null;
  screenPop: ExactScreenPop;
  at: Date;
  platform?: OfPlatform;
  /** Of a call beside another; else 0. */
  slot?: Call['slot'];
  /** The call that somebody hands on, and who. */
  transfer?: { parentCallId: CallId; from: TransferredFrom };
  overrideBy?: AgentId | null;
};

/** The click's references; stored with the call and echoed in each of its events. */
export type CallReferences = Pick<Call, 'externalId' | 'contactId' | 'campaignId' | 'metadata'>;

const noReferences: CallReferences = { externalId: null, contactId: null, campaignId: null, metadata: null };

/** A call as it is first recorded: dialing when outbound, ringing when inbound. */
export function newCall(origin: CallOrigin, references: CallReferences = noReferences): Call {
  const ringing = origin.direction === 'inbound';
  return {
    id: origin.id,
    companyId: origin.companyId,
    agentId: origin.agentId,
    direction: origin.direction,
    trigger: origin.trigger,
    state: ringing ? 'ringing' : 'dialing',
    phone: origin.phone,
    caller: origin.caller ?? null,
    dialedNumber: origin.dialedNumber ?? null,
    queue: origin.queue ?? null,
    callerId: origin.callerId ?? null,
    ...references,
    screenPop: origin.screenPop,
    createdAt: origin.at,
    ringingAt: ringing ? origin.at : null,
    answeredAt: null,
    endedAt: null,
    heldAt: null,
    holdMs: 0,
    quality: null,
    endReason: null,
    endedBy: null,
    endDetail: null,
    transferredTo: null,
    parentCallId: origin.transfer?.parentCallId ?? null,
    transferredFrom: origin.transfer?.from ?? null,
    sipCode: null,
    sipCallId: origin.sipCallId ?? null,
    disposition: null,
    tags: [],
    notesDraft: null,
    codeDraft: null,
    callbackDraft: null,
    draftAt: null,
    recordingUrl: null,
    erasedAt: null,
    overrideBy: origin.overrideBy ?? null,
    platform: origin.platform ?? null,
    slot: origin.slot ?? 0,
    sequence: 0,
    version: 1,
  };
}

/** The references of a request; a `contact_id` that is no UUID is an `external_id`. */
export function referencesOf(body: {
  contact_id?: string | undefined;
  external_id?: string | undefined;
  campaign_id?: string | undefined;
  metadata?: JsonText | undefined;
}): CallReferences {
  const contactIsUuid = body.contact_id !== undefined && isUuid(body.contact_id);
  return {
    contactId: contactIsUuid ? (body.contact_id ?? null) : null,
    externalId: body.external_id ?? (contactIsUuid ? null : (body.contact_id ?? null)),
    campaignId: body.campaign_id ?? null,
    metadata: body.metadata ?? null,
  };
}
