import type { RequestCause } from '../../contract/causes.ts';
import type { CrmCheck } from '../../contract/crm.ts';
import { asSentence, ok, type Outcome, refuse, type Refused } from '../../domain/outcome.ts';
import type { CrmAccount, CrmTrial, CrmTrouble, HeldBack } from '../../ports/crm.ts';
import { type CrmRecord, type CrmResponse, type Probe, UnreadableAnswer } from '../../providers/provider.ts';

/**
 * `account`: who the gateway is there. `facts`: to be kept with the connection.
 * Whether notices come is not asked there.
 */
export type CheckedAccount = CrmCheck & { facts: Record<string, string> };

type Known = Pick<CrmAccount, 'provider' | 'site'>;
export type Ability = CrmCheck['abilities'][number];
/** What came of trying something. `isAllowed` null: nobody can say, for the CRM did not answer as it should. */
type Tried = { isAllowed: boolean | null; words: string | null };
/** What an ability needs, tried. `isVital`: without it the ability does not work at all. */
type Finding = Tried & { ability: Probe['ability']; needs: string; isVital: boolean };

/**
 * Proves credentials by one harmless request, what they allow by one more for each ability,
 * and makes in the account what the gateway needs there. A fact that could not be told stays as the account had it.
 */
export async function checkCrmAccount({ provider, site }: Known, trial: CrmTrial): Promise<Outcome<CheckedAccount>> {
  const answer = await trial(provider.checkRequest(site));
  if (answer.kind === 'failed') return refusedBy(provider.name, answer.trouble);
  const told = readCheck({ provider, site }, answer.response);
  if (told.kind === 'refused') return told;
  const facts = { ...told.value.facts };
  const keep = (fact: string, { isAllowed }: Tried) => {
    const told = isAllowed ? 'yes' : 'no';
    const value = isAllowed === null ? site.facts[fact] : told;
    if (value !== undefined) facts[fact] = value;
  };

  const probes = provider.probes({ ...site, facts: { ...site.facts, ...facts } });
  const findings: Finding[] = await Promise.all(
    probes.map(async ({ ability, request, needs, fact }) => {
      const tried = await tryOne(trial, request);
      if (fact !== undefined) keep(fact, tried);
      return { ...tried, ability, needs, isVital: fact === undefined };
    }),
  );
  const { prepare } = provider.logRequests;
  if (prepare !== undefined) {
    const tried = await makeAll(trial, prepare.requests({ ...site, facts }));
    keep(prepare.fact, tried);
    findings.push({ ...tried, ability: 'write_back', needs: prepare.needs, isVital: false });
  }
  const checked = { provider, site: { ...site, facts } };
  return ok({
    account: told.value.account,
    facts,
    abilities: [abilityOf('pull', findings), abilityOf('write_back', findings), linkOf(checked)],
  });
}

/** Only a refusal speaks against it: some probes ask for what cannot be done, to learn who may do it. */
async function tryOne(trial: CrmTrial, request: Probe['request']): Promise<Tried> {
  const answer = await trial(request);
  return answer.kind === 'answer' ? { isAllowed: true, words: null } : judge(answer.trouble);
}

function judge(trouble: CrmTrouble): Tried {
  switch (trouble.kind) {
    case 'unauthorized':
    case 'forbidden':
      return { isAllowed: false, words: trouble.message };
    case 'rate_limited':
    case 'held_back':
    case 'unavailable':
    case 'no_answer':
      return { isAllowed: null, words: trouble.message };
    case 'invalid':
    case 'not_found':
    case 'exists':
      return { isAllowed: true, words: null };
  }
}

/** Makes one thing after the other in the account; what is there already counts as made. */
async function makeAll(trial: CrmTrial, requests: Probe['request'][]): Promise<Tried> {
  for (const request of requests) {
    const answer = await trial(request);
    if (answer.kind === 'answer' || answer.trouble.kind === 'exists') continue;
    // Whatever the CRM finds wrong with it, it is not there.
    return { isAllowed: judge(answer.trouble).isAllowed === null ? null : false, words: answer.trouble.message };
  }
  return { isAllowed: true, words: null };
}

function abilityOf(ability: Finding['ability'], all: readonly Finding[]): Ability {
  const findings = all.filter((one) => one.ability === ability);
  const vital = findings.filter(({ isVital }) => isVital).map(({ isAllowed }) => isAllowed);
  const missing = findings.filter(({ isAllowed }) => isAllowed === false);
  const words = findings.map((one) => one.words).filter((one) => one !== null);
  const worksSoFar = vital.includes(null) ? null : true;
  return {
    ability,
    works: vital.includes(false) ? false : worksSoFar,
    needs: missing.length === 0 ? null : missing.map(({ needs }) => needs).join('; '),
    detail: words.length === 0 ? null : [...new Set(words.map(asSentence))].join(' '),
  };
}

/** A record that no CRM has. */
const anybody: CrmRecord = {
  object: '',
  id: '0',
  name: null,
  email: null,
  phones: [],
  accountNumber: null,
  tier: null,
  details: {},
  url: null,
};

/** Null where each record tells its own address, or none. */
function linkOf({ provider, site }: Known): Ability {
  return {
    ability: 'link',
    works: provider.recordUrl(anybody, site) === null ? null : true,
    needs: null,
    detail: null,
  };
}

function readCheck(
  { provider, site }: Known,
  response: CrmResponse,
): Outcome<{ account: string; facts: Record<string, string> }> {
  try {
    return ok(provider.parseCheck(response, site));
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    return refusedBy(provider.name, { kind: 'unavailable', message: error.message });
  }
}

/** What a CRM would not do, for the admin: the credentials are at fault, or it is asked again later. */
export function refusedBy(name: string, trouble: CrmTrouble): Refused {
  const words = asSentence(trouble.message);
  switch (trouble.kind) {
    case 'unauthorized':
    case 'forbidden':
    case 'invalid':
    case 'not_found':
    case 'exists':
      return refuse('invalid_request', `${name} refuses these credentials.`, {
        errors: [
          {
            path: 'credentials',
            message: `are refused by ${name}: ${words}`,
            code: 'refused_by_crm',
            params: { name, words },
          },
        ],
      });
    case 'rate_limited':
    case 'unavailable':
    case 'no_answer':
      return refuse('dependency_unavailable', `${name} does not answer as it should: ${words}`, {
        retryAfterSeconds: 10,
        cause: { code: 'crm_does_not_answer', params: { name, words } },
      });
    case 'held_back':
      return holdsBack(name, trouble);
  }
}

/** It is the gateway that does not ask. */
function holdsBack(name: string, trouble: HeldBack): Refused {
  const retryAfterSeconds = Math.max(1, Math.ceil(trouble.retryAfterMs / 1_000));
  const params = { name, seconds: retryAfterSeconds };
  const cause: RequestCause =
    trouble.why === 'own_limit'
      ? {
          code: 'crm_limit_kept',
          params: { ...params, count: trouble.allows.count, per_seconds: trouble.allows.perMs / 1_000 },
        }
      : { code: trouble.why === 'told_to_wait' ? 'crm_told_to_wait' : 'crm_left_alone', params };
  return refuse('dependency_unavailable', trouble.message, { retryAfterSeconds, cause });
}
