import { refuse, type Refused } from '../../../domain/outcome.ts';

/** What callers and agents can rely on, in the words of docs/scaling.md. */
export const guarantees = {
  one_call: 'An agent never has two 201s at a time.',
  one_dial: 'A 201 means that exactly one softphone has acknowledged the dial, and that the call is recorded.',
  no_pop: 'A click that a gateway has answered with failure shows no pop from then on',
  nothing_later: 'A refused click has done nothing, and nothing comes of it later',
  nobody_stuck: 'Each call ends, and nobody stays reserved or on a call.',
  in_time: 'A click is answered within 5 s, or 6 s while its record is slow',
} as const;

/** Why an offer is taken back, as the softphone hears it. */
export type RescindReason = 'canceled' | 'rejected' | 'delivery_failed' | 'not_recorded';

export type DialEnding = {
  /** The step of the click that ends so; `afterwards`: the click has been answered, or its gateway has died. */
  step: 'claim' | 'offer' | 'confirm' | 'record' | 'afterwards';
  /** What has happened. */
  when: string;
  /** Who sees to the rest. */
  by: 'the click' | "the softphone's gateway" | 'the sweep' | 'the reaper' | 'whoever asks first';
  /**
   * What becomes of the click. `dialed`: 201. `next_agent`: it asks the next Ready agent, if it may. `store_failed`:
   * the store's error, which is 503 `dependency_unavailable`. Null: nothing; it was answered before, or will never be.
   */
  click: 'dialed' | 'next_agent' | 'store_failed' | Refused | null;
  /** What the softphone is told: to dial, or why the offer is taken back. Null: nothing; an offer expires by itself. */
  softphone: 'dial' | RescindReason | null;
  /**
   * What becomes of the agent. `freed`: as before the claim, place in the idle order and all.
   * `suspected`: freed, but its connection counts as lost until it proves otherwise.
   */
  agent: 'on_call' | 'not_ready' | 'freed' | 'suspected';
  /**
   * What PostgreSQL holds in the end. `none`: nothing, since nothing was ever confirmed. `open`: that is not known yet.
   */
  record: 'recorded' | 'ruled_out' | 'none' | 'open';
  /** Which promise would break if it ended otherwise. */
  serves: keyof typeof guarantees;
};

/** The refusal of a click whose time a slow store used up. */
export const tooSlow = refuse('dependency_unavailable', 'A store did not answer in time; nothing was dialed.', {
  retryAfterSeconds: 5,
});

const notRecorded = refuse('dependency_unavailable', 'The call could not be recorded, so it was not made.', {
  retryAfterSeconds: 5,
});

const outcomeUnknown = refuse(
  'outcome_unknown',
  'The database went away while the call was being recorded, so nobody knows yet whether it is made. ' +
    'Repeat the request under its Idempotency-Key to find out.',
  { retryAfterSeconds: 5 },
);

const givenBack = { softphone: 'canceled', agent: 'freed', record: 'ruled_out' } as const;

/**
 * Every way in which the dial of a claimed agent can end. Whether there is a call is decided by PostgreSQL alone, once
 * and for good, by who spends the call's id first: the transaction that records the call with its events and the
 * remembered answer, or `ruleOut`. Presence follows, and decides nothing (docs/decisions/0022).
 */
export const dialEndings = {
  claim_unanswered: {
    step: 'claim',
    when: 'The store failed before it said whom it claimed; the agent is found and freed.',
    by: 'the click',
    click: 'store_failed',
    softphone: null,
    agent: 'freed',
    record: 'none',
    serves: 'nobody_stuck',
  },
  claim_too_late: {
    step: 'claim',
    when: 'Claimed with no time left for an offer.',
    by: 'the click',
    click: tooSlow,
    ...givenBack,
    serves: 'in_time',
  },
  declined: {
    step: 'offer',
    when: 'The agent or the softphone declined.',
    by: 'the click',
    click: 'next_agent',
    softphone: 'rejected',
    agent: 'not_ready',
    record: 'none',
    serves: 'no_pop',
  },
  undelivered: {
    step: 'offer',
    when: 'A connected softphone did not acknowledge within 2 s.',
    by: 'the click',
    click: 'next_agent',
    softphone: 'delivery_failed',
    agent: 'not_ready',
    record: 'none',
    serves: 'no_pop',
  },
  unreachable: {
    step: 'offer',
    when: "The softphone's connection or gateway is gone, stands still, or knows better.",
    by: 'the click',
    click: 'next_agent',
    softphone: 'delivery_failed',
    agent: 'suspected',
    record: 'none',
    serves: 'nobody_stuck',
  },
  overtaken: {
    step: 'confirm',
    when: 'Acknowledged, but the claim was over or another softphone had taken over.',
    by: 'the click',
    click: 'next_agent',
    softphone: 'delivery_failed',
    agent: 'not_ready',
    record: 'none',
    serves: 'one_call',
  },
  unconfirmed: {
    step: 'confirm',
    when: 'A store failed, or did not confirm the agent by the deadline.',
    by: 'the click',
    click: tooSlow,
    ...givenBack,
    serves: 'nothing_later',
  },
  not_sent: {
    step: 'record',
    when: 'Confirmed, but nothing was sent to be recorded by the deadline; what comes later is refused.',
    by: 'the click',
    click: tooSlow,
    ...givenBack,
    serves: 'nothing_later',
  },
  recorded: {
    step: 'record',
    when: "By the record's own answer, or found by `ruleOut` where that was lost or late.",
    by: 'the click',
    click: 'dialed',
    softphone: 'dial',
    agent: 'on_call',
    record: 'recorded',
    serves: 'one_dial',
  },
  ruled_out: {
    step: 'record',
    when: 'Sent, but `ruleOut` was first, or the Idempotency-Key was lost.',
    by: 'the click',
    click: notRecorded,
    softphone: 'not_recorded',
    agent: 'freed',
    record: 'ruled_out',
    serves: 'nothing_later',
  },
  unknown: {
    step: 'record',
    when: 'PostgreSQL did not answer within 1 s of the deadline; an ending below follows.',
    by: 'the click',
    click: outcomeUnknown,
    softphone: null,
    agent: 'on_call',
    record: 'open',
    serves: 'in_time',
  },
  found_recorded: {
    step: 'afterwards',
    when: 'The call of an `unknown` click, or of a dead gateway, is recorded.',
    by: 'whoever asks first',
    click: null,
    softphone: 'dial',
    agent: 'on_call',
    record: 'recorded',
    serves: 'one_dial',
  },
  found_ruled_out: {
    step: 'afterwards',
    when: "The click's gateway reaches PostgreSQL again; nothing is recorded.",
    by: 'the click',
    click: null,
    softphone: 'not_recorded',
    agent: 'freed',
    record: 'ruled_out',
    serves: 'nobody_stuck',
  },
  offer_over: {
    step: 'afterwards',
    when: 'Acknowledged, but no word since; its gateway asks every second, and nothing is recorded.',
    by: "the softphone's gateway",
    click: null,
    softphone: 'canceled',
    agent: 'freed',
    record: 'ruled_out',
    serves: 'no_pop',
  },
  claim_lapsed: {
    step: 'afterwards',
    when: "Neither confirmed nor given back within 8 s: the click's gateway died or lost Redis.",
    by: 'the sweep',
    click: null,
    softphone: null,
    agent: 'freed',
    record: 'none',
    serves: 'nobody_stuck',
  },
  record_missing: {
    step: 'afterwards',
    when: "Confirmed for 8 s, nothing recorded: the click's gateway died.",
    by: 'the sweep',
    click: null,
    softphone: null,
    agent: 'freed',
    record: 'ruled_out',
    serves: 'nobody_stuck',
  },
  order_lost: {
    step: 'afterwards',
    when: 'Recorded for 30 s, never dialed: the softphone was not told.',
    by: 'the reaper',
    click: null,
    softphone: 'dial',
    agent: 'on_call',
    record: 'recorded',
    serves: 'one_dial',
  },
  taken_back: {
    step: 'afterwards',
    when: 'Recorded, but its softphone heard that there is no call; ended as `failed` (`not_dialed`).',
    by: "the softphone's gateway",
    click: null,
    softphone: null,
    agent: 'freed',
    record: 'recorded',
    serves: 'nobody_stuck',
  },
} as const satisfies Record<string, DialEnding>;

export type DialEndingName = keyof typeof dialEndings;

/**
 * The endings that a click brings about itself, for an agent whom it has claimed: those that free the agent,
 * or set them Not Ready. Not `claim_unanswered`: nobody knows whom that claim took.
 */
export type EndingByClick =
  | 'claim_too_late'
  | 'declined'
  | 'undelivered'
  | 'unreachable'
  | 'overtaken'
  | 'unconfirmed'
  | 'not_sent'
  | 'ruled_out'
  | 'found_ruled_out';

/** The endings of a step. */
export type EndingOf<S extends DialEnding['step']> = {
  [N in DialEndingName]: (typeof dialEndings)[N]['step'] extends S ? N : never;
}[DialEndingName];
