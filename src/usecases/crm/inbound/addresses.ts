import type { InboundView, IssuedInbound } from '../../../contract/crmInbound.ts';
import type { CompanyId } from '../../../domain/ids.ts';
import { ok, type Outcome, refuse, type Refused } from '../../../domain/outcome.ts';
import type { InboundAddress } from '../../../ports/crmInbound.ts';
import type { SecretCipher } from '../../../ports/secrets.ts';
import type { Provider } from '../../../providers/provider.ts';
import type { Services } from '../../services.ts';

type Needs = Pick<
  Services,
  'apiKeys' | 'cipher' | 'crmConnections' | 'crmInbound' | 'crmProviders' | 'newSecretText' | 'newWebhookSecret'
>;

/** The path below which CRM systems send; `…` stands for a token that was shown before. */
export function inboundPathOf(provider: string, token = '…'): string {
  return `/api/integrations/inbound/${provider}/${token}`;
}

/** Who makes what tells a provider's notices from others'. */
export function signerOf({
  signs,
  signsWithIssued,
}: Pick<Provider<unknown>, 'signs' | 'signsWithIssued'>): 'provider' | 'gateway' | 'none' {
  if (!signs) return 'none';
  return signsWithIssued === true ? 'gateway' : 'provider';
}

/** The addresses that were given out, without tokens and secrets. @param publicUrl null: only the path is known */
export async function listInbound(
  { crmConnections, crmInbound }: Pick<Needs, 'crmConnections' | 'crmInbound'>,
  companyId: CompanyId,
  publicUrl: string | null,
): Promise<InboundView[]> {
  const [addresses, connection] = await Promise.all([crmInbound.list(companyId), crmConnections.find(companyId)]);
  return addresses.map(({ provider, issuedAt, lastReceivedAt, signingSecretEncrypted }) => ({
    provider,
    url: (publicUrl ?? '') + inboundPathOf(provider),
    issued_at: issuedAt.toISOString(),
    last_received_at: lastReceivedAt?.toISOString() ?? null,
    signing_secret_set: signingSecretEncrypted !== null,
    reads_records: connection?.provider === provider && connection.attention === null,
  }));
}

/** Makes an address for a provider's notices; the one before, and its secret, are void at once. */
export async function issueInbound(
  services: Needs,
  companyId: CompanyId,
  providerId: string,
  publicUrl: string | null,
): Promise<Outcome<IssuedInbound>> {
  const provider = services.crmProviders.byId.get(providerId);
  if (provider === undefined) return unknownProvider(services);
  const token = services.newSecretText();
  const secret = { provider: null, gateway: services.newWebhookSecret(), none: services.newSecretText() }[
    signerOf(provider)
  ];
  await services.crmInbound.issue(companyId, provider.id, {
    tokenHash: services.apiKeys.hash(token),
    secretEncrypted: secret === null ? null : services.cipher.encrypt(secret, issuedContext(companyId, provider.id)),
  });
  return ok({ provider: provider.id, url: (publicUrl ?? '') + inboundPathOf(provider.id, token), token, secret });
}

/**
 * Keeps the secret with which a provider signs; null forgets it.
 * Refuses providers that do not, and where no address was issued.
 */
export async function saveSigningSecret(
  services: Needs,
  companyId: CompanyId,
  providerId: string,
  secret: string | null,
): Promise<Outcome<null>> {
  const provider = services.crmProviders.byId.get(providerId);
  if (provider === undefined) return noAddress;
  if (signerOf(provider) !== 'provider') {
    const { name } = provider;
    return refuse('conflict', `${name} does not sign: the secret that was shown with the address is all it takes.`, {
      cause: { code: 'crm_does_not_sign', params: { name } },
    });
  }
  const sealed = secret === null ? null : services.cipher.encrypt(secret, signingContext(companyId, provider.id));
  return (await services.crmInbound.saveSigningSecret(companyId, provider.id, sealed)) ? ok(null) : noAddress;
}

/** Nothing that comes to the address is taken any more. */
export async function removeInbound(
  { crmInbound }: Pick<Needs, 'crmInbound'>,
  companyId: CompanyId,
  provider: string,
): Promise<Outcome<null>> {
  return (await crmInbound.remove(companyId, provider)) ? ok(null) : noAddress;
}

/**
 * The secret by which notices are checked: the provider's where it signs with its own, else the issued one.
 * Null: there is none.
 */
export function checkingSecret(
  cipher: SecretCipher,
  provider: Provider<unknown>,
  address: InboundAddress,
): string | null {
  const { companyId, secretEncrypted, signingSecretEncrypted } = address;
  if (signerOf(provider) === 'provider') {
    return signingSecretEncrypted === null
      ? null
      : cipher.decrypt(signingSecretEncrypted, signingContext(companyId, provider.id));
  }
  return secretEncrypted === null ? null : cipher.decrypt(secretEncrypted, issuedContext(companyId, provider.id));
}

/** One sealed text must not open in place of another. */
function issuedContext(companyId: CompanyId, provider: string): string {
  return `crm-inbound:${companyId}:${provider}`;
}

function signingContext(companyId: CompanyId, provider: string): string {
  return `crm-signing:${companyId}:${provider}`;
}

const noAddress = refuse('not_found', 'No address has been issued for that CRM.');

function unknownProvider({ crmProviders }: Pick<Needs, 'crmProviders'>): Refused {
  return refuse('invalid_request', 'Some fields do not fit.', {
    errors: [
      {
        path: 'provider',
        message: 'is no CRM that the gateway knows',
        code: 'unknown_choice',
        params: { choices: [...crmProviders.byId.keys()] },
      },
    ],
  });
}
