import type { CompanyId } from '../../domain/ids.ts';
import { refuse, type Refused } from '../../domain/outcome.ts';
import type { CrmAccount, CrmConnection, CrmProviders } from '../../ports/crm.ts';
import type { SecretCipher } from '../../ports/secrets.ts';
import type { Provider, Site } from '../../providers/provider.ts';
import type { Services } from '../services.ts';

/**
 * An account as requests need it. Null: this gateway does not know the provider.
 * Throws where the credentials do not open.
 */
export function crmAccountOf(
  { cipher, crmProviders }: Pick<Services, 'cipher' | 'crmProviders'>,
  companyId: CompanyId,
  connection: CrmConnection,
): CrmAccount | null {
  const provider = crmProviders.byId.get(connection.provider);
  if (provider === undefined) return null;
  const { facts, options } = connection;
  return {
    companyId,
    provider,
    site: siteOf(crmProviders, provider, {
      credentials: openCredentials(cipher, companyId, connection),
      facts,
      options,
    }),
  };
}

/**
 * The same where nobody waits to hear of it. `sealed`: the stored credentials do not open, which is said to the admin;
 * until they are given anew, nothing is asked of the CRM.
 */
export async function openAccount(
  services: Pick<Services, 'cipher' | 'crmConnections' | 'crmProviders' | 'observer'>,
  companyId: CompanyId,
  connection: CrmConnection,
): Promise<CrmAccount | 'sealed' | null> {
  try {
    return crmAccountOf(services, companyId, connection);
  } catch (error) {
    services.observer.problem('the credentials of a CRM cannot be decrypted; was ENCRYPTION_KEY changed?', error, {
      company_id: companyId,
    });
    await services.crmConnections.noteAttention(
      companyId,
      connection,
      'The stored credentials cannot be read. Give them anew.',
    );
    return 'sealed';
  }
}

/** The refusal of a request that needs credentials which do not open. */
export const credentialsUnreadable = refuse(
  'conflict',
  'The stored credentials of the CRM cannot be read. Give them anew.',
  { cause: { code: 'crm_credentials_unreadable' } },
);

/** Whether an admin can log in at the CRM with the app whose credentials are kept, in place of who has now. */
export function canLogIn(
  services: Pick<Services, 'cipher' | 'crmProviders'>,
  companyId: CompanyId,
  connection: CrmConnection,
): boolean {
  const authorization = services.crmProviders.byId.get(connection.provider)?.authorization;
  if (authorization === undefined || authorization === null || connection.credentialsEncrypted === '') return false;
  let credentials: unknown;
  try {
    credentials = openCredentials(services.cipher, companyId, connection);
  } catch {
    // Those that do not open have to be given anew; whoever asks the CRM says so.
    return false;
  }
  return authorization.isApp(credentials);
}

/** The refusal of a CRM that this gateway does not know. @param path of the field that names it */
export function unknownProvider({ byId }: CrmProviders, path: string): Refused {
  return refuse('invalid_request', 'Some fields do not fit.', {
    errors: [
      {
        path,
        message: 'is no CRM that the gateway knows',
        code: 'unknown_choice',
        params: { choices: [...byId.keys()] },
      },
    ],
  });
}

/** Where the provider is for this company. */
export function siteOf(
  { baseUrls }: CrmProviders,
  provider: Provider<unknown>,
  known: Omit<Site<unknown>, 'addresses'>,
): Site<unknown> {
  const base = baseUrls.get(provider.id);
  const addresses = base === undefined ? provider.addresses(known.credentials) : { api: base, login: base, app: base };
  return { ...known, addresses };
}

/** Seals what a provider's schema has read. */
export function sealCredentials(cipher: SecretCipher, companyId: CompanyId, credentials: unknown): string {
  return cipher.encrypt(JSON.stringify(credentials), contextOf(companyId));
}

/** Throws where they do not open. */
export function openCredentials(
  cipher: SecretCipher,
  companyId: CompanyId,
  { credentialsEncrypted }: Pick<CrmConnection, 'credentialsEncrypted'>,
): unknown {
  return JSON.parse(cipher.decrypt(credentialsEncrypted, contextOf(companyId)));
}

/** Not a webhook secret's context: one sealed text must not open in place of another. */
function contextOf(companyId: CompanyId): string {
  return `crm-credentials:${companyId}`;
}
