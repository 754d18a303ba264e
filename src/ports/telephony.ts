import type { TelephonyMode, TransferWay } from '../contract/vocabulary.ts';
import type { AgentId, CompanyId } from '../domain/ids.ts';
import type { Outcome } from '../domain/outcome.ts';

/** How the agents of a company telephone, as it is stored. */
export type Telephony = {
  mode: TelephonyMode;
  /** Set whenever `mode` is `sip`. */
  sipWssUrl: string | null;
  /** Null: the host of `sipWssUrl`. */
  sipDomain: string | null;
  /** The list with its credentials, sealed as one text. Null: none. */
  iceServersEncrypted: string | null;
  /** 5 to 300; null: the usual. */
  noAnswerSeconds: number | null;
  /** Null: the usual. */
  deskPhoneScheme: 'tel' | 'sip' | null;
  /** Null: the usual; empty: none. */
  callIdHeader: string | null;
  /** Null: only the standard ones are read. */
  dialedNumberHeader: string | null;
  /** Null: the PBX tells of no queue. */
  queueHeader: string | null;
  /** Null: the usual. */
  callerIdHeader: string | null;
  /** At which the PBX plays back what it hears. Null: not known. */
  echoNumber: string | null;
  /** Null: the usual. */
  transferBy: TransferWay | null;
  /** With `{number}` for whom. Null: the usual. */
  transferCode: string | null;
  /** Null: nothing was ever set. */
  updatedAt: Date | null;
};

/** How long an outbound call rings, where nothing else is set. */
export const usualNoAnswerSeconds = 60;
/** How the PBX is asked to hand a call on, where nothing else is set. */
export const usualTransferWay: TransferWay = 'refer';
/** The link for desk phones, where nothing else is set. */
export const usualDeskPhoneScheme = 'tel';

/** Absent is unchanged. */
export type TelephonyChange = Partial<Omit<Telephony, 'updatedAt'>>;

export interface TelephonyStore {
  /** Mode `none` where nothing was ever set, and where there is no such company. */
  find(companyId: CompanyId): Promise<Telephony>;
  /**
   * Changes the settings by what is decided on their latest state; changes of one company wait for each other. Nothing
   * is saved where the decision is a refusal or changes nothing.
   */
  save(companyId: CompanyId, decide: (current: Telephony) => Outcome<TelephonyChange>): Promise<Outcome<Telephony>>;
}

/** The answering machine of the demo, as agents' telephones reach it. */
export interface DemoCarrier {
  /**
   * An agent's account, the same for as long as this process lives.
   * `path`: of the WebSocket, on the gateway's own origin. `echoNumber`: see `Telephony`.
   */
  account(
    companyId: CompanyId,
    agentId: AgentId,
  ): { path: string; user: string; secret: string; domain: string; echoNumber: string };
}
