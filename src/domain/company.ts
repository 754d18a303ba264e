import type { CrmProvider, CtiConnector, Mode } from '../contract/vocabulary.ts';
import type { AgentId, CompanyId } from './ids.ts';

/** The part of a company's settings that every request may need; read often, changed rarely. */
export type CompanySettings = {
  companyId: CompanyId;
  slug: string;
  defaultCountry: string | null;
  wrapUpSeconds: number;
  dispositions: readonly { code: string; label: string }[];
  notReadyReasons: readonly { code: string; label: string }[];
  crmProvider: CrmProvider | null;
  ctiConnector: CtiConnector | null;
  mode: Mode;
  apiKeyPrefix: string | null;
};

/** A tenant as its admin and the platform see it. */
export type Company = {
  id: CompanyId;
  slug: string;
  name: string;
  wrapUpSeconds: number;
  dispositions: CodeLabel[];
  notReadyReasons: CodeLabel[];
  createdAt: Date;
  updatedAt: Date;
};

export type CodeLabel = { code: string; label: string };

/** What calls, events and the wall show of an agent. */
export type AgentCard = { id: AgentId; agentCode: string; name: string };
