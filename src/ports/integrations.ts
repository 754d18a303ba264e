import type { BareDigits, CrmProvider, CtiConnector, Mode, WebhookEvent } from '../contract/vocabulary.ts';
import type { EndpointHealth } from '../domain/endpointHealth.ts';
import type { CompanyId } from '../domain/ids.ts';

/** A company's CRM/CTI settings, with its webhook endpoint. Secrets only as hash or cipher text. */
export type Integration = {
  crmProvider: CrmProvider | null;
  ctiConnector: CtiConnector | null;
  mode: Mode;
  defaultCountry: string | null;
  bareDigits: BareDigits;
  apiKeyPrefix: string | null;
  apiKeyIssuedAt: Date | null;
  connectedAt: Date | null;
  webhookUrl: string | null;
  webhookSecretEncrypted: string | null;
  /** While receivers may still use the secret before the last rotation. */
  webhookSecretPrevious: { encrypted: string; until: Date } | null;
  /** 1 to 32; null where no URL is set. */
  webhookMaxInFlight: number | null;
  webhookHealth: EndpointHealth | null;
  /** Which events are sent; null: nothing was chosen. */
  webhookEvents: WebhookEvent[] | null;
  /** Origins whose pages may hold the pop page in a frame. */
  popFrameAncestors: string[];
  createdAt: Date;
  updatedAt: Date;
};

/** Absent: unchanged. Null: cleared. */
export type IntegrationChange = {
  crmProvider?: CrmProvider | null;
  ctiConnector?: CtiConnector | null;
  mode?: Mode;
  defaultCountry?: string | null;
  bareDigits?: BareDigits;
  apiKey?: { hash: string; prefix: string };
  connected?: true;
  /** Null: waiting deliveries become `dead`. With a new URL they go there. */
  webhookUrl?: string | null;
  /** Belongs to the endpoint, and goes with it. Throws where no URL is set: nothing would be signed with it. */
  webhookSecretEncrypted?: string | null;
  /** The secret that is being replaced, and until when deliveries carry its signature too. */
  webhookSecretPrevious?: { encrypted: string; until: Date } | null;
  webhookMaxInFlight?: number;
  /** A new URL starts healthy. Disabled: waiting deliveries become `dead`. */
  webhookHealth?: EndpointHealth;
  webhookEvents?: WebhookEvent[] | null;
  popFrameAncestors?: string[];
};

export interface IntegrationStore {
  find(companyId: CompanyId): Promise<Integration>;
  /**
   * Decides and saves in one transaction that holds the company's integration: two admins at once cannot both
   * issue "the first" key. `decide` sees what is stored and returns the change to make.
   */
  update(companyId: CompanyId, decide: (current: Integration) => IntegrationChange): Promise<Integration>;
  /** The company a key belongs to, by SHA-256 of the key in hex; null: no such key. */
  findByApiKeyHash(hash: string): Promise<{ companyId: CompanyId; prefix: string } | null>;
}
