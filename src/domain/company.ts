import type { SkipReason, SpeedDial } from '../contract/dialing.ts';
import type { BareDigits, CallbackAssignee, ContactScopeChoice, CrmProvider, CtiConnector, Language, ListeningRule, Mode, WebhookEvent } from '../contract/vocabulary.ts';
import type { AgentId, CompanyId } from './ids.ts';

/** The part of a company's settings that every request may need; read often, changed rarely. */
export type CompanySettings = {
  companyId: CompanyId;
  slug: string;
  defaultCountry: string | null;
  bareDigits: BareDigits;
  language: Language | null;
  wrapUpSeconds: number;
  wrapUpMaxSeconds: number;
  /** Which contacts an agent sees: all, or its own and those of nobody. */
  contactScope: ContactScopeChoice;
  /** Whose a callback is that is set in wrap-up. */
  callbackAssignee: CallbackAssignee;
  /** Whether supervisors may listen to calls, and agents see it. */
  listening: ListeningRule;
  dispositions: readonly CompanyDisposition[];
  /** What agents may mark a call with. */
  tags: readonly CodeLabel[];
  /** Whether they may do so in words of their own, too. */
  freeTags: boolean;
  notReadyReasons: readonly CodeLabel[];
  /** Whether agents look at the customer before they call back. */
  previewDial: boolean;
  /** Why they skip a call. */
  skipReasons: readonly SkipReason[];
  crmProvider: CrmProvider | null;
  ctiConnector: CtiConnector | null;
  mode: Mode;
  apiKeyPrefix: string | null;
  /** Whether the built-in CRM holds anybody: else nobody is looked for there. */
  hasContacts: boolean;
  /** Whether anybody has, or had, a task: else nobody is reminded. */
  hasTasks: boolean;
  /** Whether its do-not-dial list holds anything: else no number is looked for there. */
  hasDoNotDial: boolean;
  /** Whether telephony platforms tell of its calls and agents: else nobody's state is theirs. */
  hasPlatforms: boolean;
  /** Whether it has a webhook: else no event waits to be sent. */
  hasWebhook: boolean;
  /** Which events its webhook gets. */
  webhookEvents: readonly WebhookEvent[];
  /** Origins whose pages may hold the pop page in a frame. */
  popFrameAncestors: readonly string[];
};

/** A tenant as its admin and the platform see it. */
export type Company = {
  id: CompanyId;
  slug: string;
  name: string;
  wrapUpSeconds: number;
  /**
   * The longest wrap-up, extended by typing, in seconds; typing does not extend it where this is less than the wrap-up
   * itself.
   */
  wrapUpMaxSeconds: number;
  /** Which contacts an agent sees: all, or its own and those of nobody. */
  contactScope: ContactScopeChoice;
  /** Whose a callback is that is set in wrap-up. */
  callbackAssignee: CallbackAssignee;
  /** Whether supervisors may listen to calls, and agents see it. */
  listening: ListeningRule;
  /** The pages' language for browsers that have none of their languages; null: English. */
  language: Language | null;
  dispositions: CompanyDisposition[];
  /** What agents may mark a call with. */
  tags: CodeLabel[];
  /** Whether they may do so in words of their own, too. */
  freeTags: boolean;
  notReadyReasons: CodeLabel[];
  /** What every agent can dial by one press. */
  speedDials: SpeedDial[];
  previewDial: boolean;
  skipReasons: SkipReason[];
  wallboardLimits: WallboardLimits;
  createdAt: Date;
  updatedAt: Date;
};

/**
 * From when on the wallboard marks what takes long: an agent in one of these states, or that no agent is Ready. Seconds; null: never.
 */
export type WallboardLimits = Record<'wrap_up_seconds' | 'on_call_seconds' | 'not_ready_seconds' | 'nobody_ready_seconds', number | null>;

/** Where a company has chosen none: five minutes of wrap-up are a form that nobody looks at, and a minute without anybody loses clicks. */
export const usualWallboardLimits: WallboardLimits = { wrap_up_seconds: 300, on_call_seconds: null, not_ready_seconds: null, nobody_ready_seconds: 60 };

export type CodeLabel = { code: string; label: string };

/** A disposition that agents may choose. `requires_callback_at`: absent where it was never set; see `requiresCallbackAt`. */
export type CompanyDisposition = CodeLabel & { requires_callback_at?: boolean | undefined };

/** Whether this disposition needs a callback time: as the company has set it, else only `callback` does. */
export function requiresCallbackAt({ code, requires_callback_at }: CompanyDisposition): boolean {
  return requires_callback_at ?? code === 'callback';
}

/** Whether its agents work with the built-in CRM: its mode is made for it, or it has contacts or tasks. */
export function usesContacts({ mode, hasContacts, hasTasks }: Pick<CompanySettings, 'mode' | 'hasContacts' | 'hasTasks'>): boolean {
  return mode === 'builtin' || mode === 'hybrid' || hasContacts || hasTasks;
}

/** The dispositions as they are shown, with every field set. */
export function shownDispositions(dispositions: readonly CompanyDisposition[]): (CodeLabel & { requires_callback_at: boolean })[] {
  return dispositions.map((one) => ({ code: one.code, label: one.label, requires_callback_at: requiresCallbackAt(one) }));
}

/** What calls, events and the wallboard show of an agent. */
export type AgentCard = { id: AgentId; agentCode: string; name: string };

/**
 * An agent code, e-mail address or company slug as it is compared: without case, surrounding spaces and forms of letters
 * that look alike (NFKC, such as full-width ones).
 */
export function foldName(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
