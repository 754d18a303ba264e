import { type FakeId, fakes } from './allFakes.ts';
import type { FakeCrm, Heard } from './fakeCrm.ts';
import { HarbourFake } from './harbourFake.ts';

/** A provider as the tests of all of them need it. */
export type FakedCrm = {
  id: string;
  name: string;
  /** @param now for those that allow so many requests a minute */
  open: (now?: () => number) => Promise<FakeCrm>;
  options?: Record<string, string>;
  /** Whether a token authenticates, which ends. */
  hasTokens: boolean;
  /** The request that proves the credentials reads records, too: who may not read them is refused as a whole. */
  provesByReading?: true;
  /** A call without a record is written nowhere. */
  keepsNothingOfNobody?: true;
  notices: {
    /**
     * By what they are known: the CRM's own signature, one made with the secret that the gateway issued, that secret,
     * or the address alone.
     */
    provenBy: 'signature' | 'issued_signature' | 'secret' | 'address';
    /** A time is signed with them. */
    isTimed?: true;
    /** They carry no more than an id: the record is read. */
    tellsIdAlone?: true;
    /** They have something that tells one from another. */
    isKnownAgain?: true;
  };
};

type About = Omit<FakedCrm, 'id' | 'open'>;

const about: Record<FakeId, About> = {
  salesforce: { name: 'Salesforce', hasTokens: true, notices: { provenBy: 'secret' } },
  hubspot: {
    name: 'HubSpot',
    hasTokens: true,
    notices: { provenBy: 'signature', isTimed: true, isKnownAgain: true, tellsIdAlone: true },
  },
  zendesk: {
    name: 'Zendesk',
    hasTokens: true,
    keepsNothingOfNobody: true,
    notices: { provenBy: 'signature', isTimed: true, isKnownAgain: true, tellsIdAlone: true },
  },
  freshdesk: { name: 'Freshdesk', hasTokens: false, keepsNothingOfNobody: true, notices: { provenBy: 'address' } },
  dynamics: {
    name: 'Microsoft Dynamics 365',
    hasTokens: true,
    keepsNothingOfNobody: true,
    notices: { provenBy: 'secret', isKnownAgain: true },
  },
  pipedrive: { name: 'Pipedrive', hasTokens: false, notices: { provenBy: 'secret', isKnownAgain: true } },
  zoho: { name: 'Zoho CRM', hasTokens: true, notices: { provenBy: 'secret', isKnownAgain: true, tellsIdAlone: true } },
  intercom: {
    name: 'Intercom',
    hasTokens: false,
    keepsNothingOfNobody: true,
    notices: { provenBy: 'signature', isKnownAgain: true },
  },
  servicenow: {
    name: 'ServiceNow',
    hasTokens: true,
    provesByReading: true,
    notices: { provenBy: 'secret', isKnownAgain: true },
  },
  custom: {
    name: 'Custom CRM',
    options: { records_path: 'customers', name_path: 'contact.name', email_path: 'contact.email' },
    hasTokens: false,
    provesByReading: true,
    notices: { provenBy: 'issued_signature', isTimed: true, isKnownAgain: true },
  },
};

/** The ten that the interface names. */
export const fakedCrms: FakedCrm[] = Object.entries(about).map(([id, one]) => ({
  ...one,
  id,
  open: fakes[id as FakeId],
}));

/** The eleventh, of `harbour.ts`: its file, its fake and this row are all that the tests of the others need. */
export const harbourCrm: FakedCrm = {
  id: 'harbour_crm',
  name: 'Harbour CRM',
  open: () => HarbourFake.open(),
  hasTokens: false,
  notices: { provenBy: 'signature', isTimed: true, isKnownAgain: true, tellsIdAlone: true },
};

/** Which POST writes a call. */
const writes: Record<string, RegExp> = {
  salesforce: /\/sobjects\/Task$/,
  hubspot: /\/calls$/,
  zendesk: /\/tickets$/,
  freshdesk: /\/(tickets|notes)$/,
  dynamics: /\/phonecalls$/,
  pipedrive: /\/(callLogs|activities)$/,
  zoho: /\/Calls$/,
  intercom: /\/notes$/,
  servicenow: /\/interaction$/,
  custom: /./,
  harbour_crm: /\/logs$/,
};

/** Whether a request writes a call into that CRM. */
export function writesCall({ id }: Pick<FakeCrm, 'id'>, { method, path }: Heard): boolean {
  return method === 'POST' && !path.includes('token') && (writes[id]?.test(path.replace(/\?.*/, '')) ?? false);
}
