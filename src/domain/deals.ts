import type { DealState } from '../contract/vocabulary.ts';
import type { AgentId, CompanyId, ContactId, DealId, OrganisationId, PipelineId, StageId } from './ids.ts';

/** A way of selling: the stages that deals go through, in their order. */
export type Pipeline = {
  companyId: CompanyId;
  id: PipelineId;
  name: string;
  position: number;
  stages: Stage[];
  /** Rises by one per change. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
};

/** `probability`: how likely a deal in it is won, in percent. */
export type Stage = { id: StageId; name: string; outcome: DealState; probability: number };

/** Something that may be sold. */
export type Deal = {
  companyId: CompanyId;
  id: DealId;
  pipelineId: PipelineId;
  stage: Stage;
  name: string;
  /** An exact decimal; it has a currency. */
  value: string | null;
  currency: string | null;
  owner: { id: AgentId; name: string } | null;
  contactId: ContactId | null;
  organisation: { id: OrganisationId; name: string } | null;
  /** A day such as 2026-12-18. */
  expectedClose: string | null;
  version: number;
  movedAt: Date;
  createdAt: Date;
  updatedAt: Date;
};

/** A deal as somebody sees it. `contact`: null also where it is not shown to them. */
export type ShownDeal = Deal & { contact: { id: ContactId; name: string | null } | null };

/** A decimal without what says nothing: zeros at both ends. */
export function plainDecimal(text: string): string {
  const [whole = '', decimals = ''] = text.replace('-', '').split('.');
  const end = decimals.replace(/0+$/, '');
  const plain = `${whole.replace(/^0+(?=\d)/, '')}${end === '' ? '' : `.${end}`}`;
  return text.startsWith('-') && plain !== '0' ? `-${plain}` : plain;
}
