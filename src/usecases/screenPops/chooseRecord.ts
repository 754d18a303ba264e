import { chosenCandidate, isContactCandidate } from '../../contract/callRules.ts';
import type { ChooseRecordRequest, CrmCandidate } from '../../contract/screenPops.ts';
import { isWithin, type Principal } from '../../domain/access.ts';
import type { Call } from '../../domain/calls.ts';
import { choose, completeChosen } from './chosenRecord.ts';
import { type CallId, type CompanyId, type ContactId, toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { CrmAccount } from '../../ports/crm.ts';
import type { CrmRecord } from '../../providers/provider.ts';
import { agentScopeOf } from '../agents/agentScope.ts';
import { crmAccountOf } from '../crm/crmAccount.ts';
import { countTickets, readRecord } from '../crm/searchRecords.ts';
import type { Services } from '../services.ts';
import { changeScreenPop } from './changeScreenPop.ts';
import { completeCandidate } from './contactCandidates.ts';

/** How long the CRM may take to tell what else it knows of the chosen record. Milliseconds. */
const answerWithinMs = 5_000;

export type ChosenNeeds = Pick<
  Services,
  'calls' | 'cipher' | 'clock' | 'contacts' | 'crm' | 'crmConnections' | 'crmProviders' | 'observer' | 'softphones'
>;

/**
 * Several records or contacts have the number of a call: one of them is the customer. What is known of it is
 * shown at once, what else the CRM tells follows by `call_state_changed`. Another one may be chosen later,
 * also when the call is over.
 */
export async function chooseRecord(
  services: ChosenNeeds & Pick<Services, 'ledAgents'>,
  principal: Principal,
  id: string,
  { object, id: recordId }: ChooseRecordRequest,
): Promise<Outcome<Call>> {
  const { companyId } = principal;
  const scope = await agentScopeOf(services, principal);
  const chosen = await changeScreenPop(services, { companyId, id: toId<CallId>(id) }, ({ agentId, screenPop }) => {
    if (!isWithin(scope, agentId)) return refuse('not_found', 'There is no such call.');
    if (screenPop?.candidates === undefined) {
      return refuse('conflict', 'There is nothing to choose from: no, or one, record has the number of that call.', {
        cause: { code: 'nothing_to_choose' },
      });
    }
    const wanted = screenPop.candidates.find((one) => one.id === recordId && one.object === object);
    if (wanted === undefined) {
      return refuse('invalid_request', 'That record is none of those that have the number of the call.', {
        cause: { code: 'not_a_candidate' },
        errors: [
          { path: 'id', message: 'must be one of the `candidates` of the call’s screen pop', code: 'not_a_candidate' },
        ],
      });
    }
    return ok(wanted === chosenCandidate(screenPop) ? screenPop : choose(screenPop, wanted));
  });
  if (chosen.kind === 'ok') void readChosen(services, chosen.value);
  return chosen;
}

/** Reads what else is known of the chosen record or contact, and shows it. Never rejects: a call goes on without. */
export async function readChosen(
  services: ChosenNeeds,
  { companyId, id, screenPop }: Pick<Call, 'companyId' | 'id' | 'screenPop'>,
): Promise<void> {
  try {
    const chosen = screenPop === null ? null : chosenCandidate(screenPop);
    // It was told before.
    if (chosen === null || chosen.crm !== undefined) return;
    const told = isContactCandidate(chosen)
      ? await readContact(services, companyId, chosen)
      : await readOfCrm(services, companyId, chosen, screenPop?.external_system);
    if (told !== null) {
      await changeScreenPop(services, { companyId, id }, (call) =>
        ok(call.screenPop === null ? null : completeChosen(call.screenPop, told)),
      );
    }
  } catch (error) {
    services.observer.problem('a chosen record could not be read', error, { company_id: companyId });
  }
}

/** Whoever has the call sees the contact, whoever looks after it. Null: it is gone. */
async function readContact(
  { contacts }: ChosenNeeds,
  companyId: CompanyId,
  { id }: CrmCandidate,
): Promise<CrmCandidate | null> {
  const contact = await contacts.find(companyId, 'all', toId<ContactId>(id));
  // Of one that went into another meanwhile the former id leads there.
  return contact === null ? null : { ...completeCandidate(contact, await contacts.popFields(companyId)), id };
}

/** Null: the CRM did not tell. */
async function readOfCrm(
  services: ChosenNeeds,
  companyId: CompanyId,
  chosen: CrmCandidate,
  system: string | undefined,
): Promise<CrmCandidate | null> {
  const connection = await services.crmConnections.find(companyId);
  if (connection === null || connection.attention !== null || connection.provider !== system) return null;
  const account = crmAccountOf(services, companyId, connection);
  return account === null ? null : readCandidate(services, account, chosen);
}

/** Null: the CRM did not tell. */
async function readCandidate(
  { clock, crm }: Pick<Services, 'clock' | 'crm'>,
  account: CrmAccount,
  candidate: CrmCandidate,
): Promise<CrmCandidate | null> {
  const until = clock.now() + answerWithinMs;
  const read = await readRecord(crm, account, candidate, { isLive: true, withinMs: answerWithinMs });
  if (read.kind === 'failed') return null;
  const record = read.value ?? recordOf(candidate);
  const openTickets = await countTickets(crm, account, record, until - clock.now());
  return {
    object: candidate.object,
    id: candidate.id,
    name: record.name,
    email: record.email,
    account_number: record.accountNumber,
    vip_tier: record.tier,
    record_url: account.provider.recordUrl(record, account.site),
    crm: { ...(openTickets === null ? {} : { open_tickets: openTickets }), ...record.details },
  };
}

/** What the search told, where the provider reads no single records. */
function recordOf(candidate: CrmCandidate): CrmRecord {
  return {
    object: candidate.object,
    id: candidate.id,
    name: candidate.name,
    email: candidate.email,
    phones: [],
    accountNumber: candidate.account_number,
    tier: candidate.vip_tier,
    details: {},
    url: candidate.record_url,
  };
}
