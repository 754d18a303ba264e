import type { CrmCheck, CrmPreview } from '../../contract/crm.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import { screenPopOf } from '../../domain/screenPop.ts';
import type { CrmAccount, CrmConnection, CrmTrial } from '../../ports/crm.ts';
import { readPhone } from '../screenPops/lookUp.ts';
import type { Services } from '../services.ts';
import { writtenScreenPop } from '../views/callView.ts';
import { credentialsUnreadable, openAccount } from './crmAccount.ts';
import { type Ability, checkCrmAccount, refusedBy } from './checkCrmAccount.ts';
import { entryOf, severalOf } from './crmLookup.ts';
import { signerOf } from './inbound/addresses.ts';
import { sampleRequests } from './sampleRequests.ts';
import { searchRecords } from './searchRecords.ts';

/** For one request of a check: an admin waits for it. Milliseconds. */
const requestWithinMs = 10_000;
/** How long a preview may take. Milliseconds. */
const previewWithinMs = 5_000;

type Needs = Pick<
  Services,
  'cipher' | 'clock' | 'crm' | 'crmConnections' | 'crmInbound' | 'crmProviders' | 'observer' | 'companyOf'
>;

/**
 * Who the gateway is in the connected CRM, and what it may do there, which is kept.
 * Credentials that are good again end the need for attention; those that are refused begin it.
 */
export async function checkCrm(services: Needs, companyId: CompanyId): Promise<Outcome<CrmCheck>> {
  const connected = await connectedAccount(services, companyId);
  if (connected.kind === 'refused') return connected;
  const { connection } = connected.value;
  const checked = await checkCrmAccount(connected.value.account, trialOf(services, connected.value));
  if (checked.kind === 'refused') return checked;
  const { account, facts, abilities } = checked.value;
  await services.crmConnections.noteCheck(companyId, connection, { account, facts });
  return ok({ account, abilities: [await pushOf(services, connected.value.account), ...abilities] });
}

/** Whether notices come is seen when the first one does. */
async function pushOf(
  { crmInbound }: Pick<Services, 'crmInbound'>,
  { companyId, provider }: CrmAccount,
): Promise<Ability> {
  const address = (await crmInbound.list(companyId)).find((one) => one.provider === provider.id);
  const told = (works: boolean | null, needs: string | null): Ability => ({
    ability: 'push',
    works,
    needs,
    detail: null,
  });
  if (address === undefined) return told(false, 'an address for its notices, made in the console');
  if (signerOf(provider) === 'provider' && address.signingSecretEncrypted === null)
    return told(false, `the secret with which ${provider.name} signs`);
  return told(address.lastReceivedAt === null ? null : true, null);
}

/** Sends the requests of a check by the stored token. Credentials that are refused are noted. */
export function trialOf(
  { crm, crmConnections }: Pick<Services, 'crm' | 'crmConnections'>,
  { account, connection }: { account: CrmAccount; connection: CrmConnection },
): CrmTrial {
  let isProved = false;
  return async (request) => {
    const answer = await crm.send(account, request, { isLive: true, isTrial: true, withinMs: requestWithinMs });
    if (answer.kind === 'failed' && answer.trouble.kind === 'unauthorized' && !isProved) {
      await crmConnections.noteAttention(account.companyId, connection, answer.trouble.message);
    }
    // The first request is the one that proves them; what is refused later is refused to these credentials.
    isProved = true;
    return answer;
  };
}

/** What would be shown for a number, asked of the CRM at this moment; nothing is kept. */
export async function previewCrm(
  services: Needs,
  companyId: CompanyId,
  phoneInput: string,
): Promise<Outcome<CrmPreview>> {
  const phone = await readPhone(services, companyId, phoneInput);
  if (phone.kind === 'refused') return phone;
  const connected = await connectedAccount(services, companyId);
  if (connected.kind === 'refused') return connected;
  const { account } = connected.value;
  const began = services.clock.now();
  const searched = await searchRecords(services, account, phone.value, began + previewWithinMs);
  if (searched.kind === 'failed') return refusedBy(account.provider.name, searched.trouble);
  const { records } = searched;
  const one = records.length === 1 ? (records[0] ?? null) : null;
  const several = records.length > 1 ? severalOf(account, phone.value, records) : null;
  const entry = one === null ? several : await entryOf(services, account, phone.value, one, began + previewWithinMs);
  const found = one === null ? 'several' : 'one';
  return ok({
    phone_number: phone.value,
    outcome: entry === null ? 'none' : found,
    screen_pop: entry === null ? {} : writtenScreenPop(screenPopOf(entry)),
    took_ms: services.clock.now() - began,
    requests: sampleRequests(account, phone.value, one),
  });
}

async function connectedAccount(
  services: Needs,
  companyId: CompanyId,
): Promise<Outcome<{ account: CrmAccount; connection: CrmConnection }>> {
  const connection = await services.crmConnections.find(companyId);
  const account = connection === null ? null : await openAccount(services, companyId, connection);
  if (account === 'sealed') return credentialsUnreadable;
  return connection === null || account === null
    ? refuse('conflict', 'The company is not connected to a CRM.', { cause: { code: 'no_crm_connected' } })
    : ok({ account, connection });
}
