import type { CompanySettings } from '../contract/companySettings.ts';
import type { BareDigits, CrmProvider, CtiConnector, Mode, WebhookEvent } from '../contract/vocabulary.ts';
import type { AgentId, CompanyId } from './ids.ts';

/** A tenant: read by almost every request, changed rarely. */
export type Company = {
  id: CompanyId;
  slug: string;
  name: string;
  settings: CompanySettings;
  createdAt: Date;
  updatedAt: Date;
  defaultCountry: string | null;
  bareDigits: BareDigits;
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

/** Whether its agents work with the built-in CRM: its mode is made for it, or it has contacts or tasks. */
export function usesContacts({
  mode,
  hasContacts,
  hasTasks,
}: Pick<Company, 'mode' | 'hasContacts' | 'hasTasks'>): boolean {
  return mode === 'builtin' || mode === 'hybrid' || hasContacts || hasTasks;
}

/** What calls, events and the wallboard show of an agent. */
export type AgentCard = { id: AgentId; agentCode: string; name: string };

/**
 * An agent code, e-mail address or company slug as it is compared: without case,
 * surrounding spaces and forms of letters that look alike (NFKC, such as full-width ones).
 */
export function foldName(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
