import type { SessionSettings, SessionTelephony } from '../../contract/telephony.ts';
import { usualTransferCodes } from '../../contract/vocabulary.ts';
import { usesContacts } from '../../domain/company.ts';
import type { AgentId, CompanyId, Lease } from '../../domain/ids.ts';
import { ok, type Outcome, refuse, unreachable } from '../../domain/outcome.ts';
import { type Telephony, usualDeskPhoneScheme, usualNoAnswerSeconds, usualTransferWay } from '../../ports/telephony.ts';
import { allNotReadyReasons } from '../agents/setState.ts';
import { usualCallerId } from '../dialing/callerId.ts';
import { readPopLayout } from '../screenPops/popLayout.ts';
import { platformsThatTakeStates } from '../cti/stateAtPlatform.ts';
import type { Services } from '../services.ts';
import { iceServersFor } from './iceServers.ts';
import { openSipAccount } from './sipAccount.ts';

type Needs = Pick<
  Services,
  | 'agentCard'
  | 'agents'
  | 'cipher'
  | 'clock'
  | 'contacts'
  | 'ctiConnections'
  | 'demoCarrier'
  | 'ledAgents'
  | 'observer'
  | 'platformAgents'
  | 'platformStates'
  | 'popLayouts'
  | 'presence'
  | 'companyOf'
  | 'telephony'
>;
type Owner = { companyId: CompanyId; agentId: AgentId; lease: Lease };

/**
 * The settings of an agent's softphone. Holds the agent's SIP secret: only the connection that owns the softphone is
 * answered.
 */
export async function readSettings(services: Needs, owner: Owner): Promise<Outcome<SessionSettings>> {
  const { companyId, agentId, lease } = owner;
  const [company, telephony, pop, statePlatforms] = await Promise.all([
    services.companyOf(companyId),
    services.telephony.find(companyId),
    readPopLayout(services, companyId),
    platformsThatTakeStates(services, companyId, agentId),
  ]);
  const sessionTelephony = await readSessionTelephony(services, owner, telephony);
  // Last, so that whoever was replaced meanwhile learns nothing.
  const presence = await services.presence.find(companyId, agentId);
  if (presence === null) {
    return refuse('conflict', 'An agent who is offline cannot read the settings of a softphone.', {
      cause: { code: 'agent_state', params: { state: 'offline' } },
    });
  }
  if (presence.lease !== lease) return refuse('session_replaced', 'Another softphone of this agent has taken over.');
  const { dispositions, tags, free_tags, wrap_up_seconds, wrap_up_max_seconds, call_waiting } = company.settings;
  const { preview_dial, skip_reasons, lines, outgoing_numbers: outgoing } = company.settings;
  return ok({
    dispositions,
    not_ready_reasons: allNotReadyReasons(company.settings),
    tags,
    free_tags,
    wrap_up_seconds,
    wrap_up_max_seconds,
    call_waiting,
    default_country: company.defaultCountry,
    contacts: usesContacts(company),
    pop,
    preview_dial,
    skip_reasons,
    lines,
    outgoing_numbers: outgoing.map(({ name, phone_number }) => ({ name, phone_number })),
    outgoing_number: await usualCallerId(services, companyId, agentId),
    state_platforms: statePlatforms,
    telephony: sessionTelephony,
  });
}

async function readSessionTelephony(services: Needs, owner: Owner, telephony: Telephony): Promise<SessionTelephony> {
  const noAnswerSeconds = telephony.noAnswerSeconds ?? usualNoAnswerSeconds;
  switch (telephony.mode) {
    case 'none':
      return demoTelephony(services, owner, noAnswerSeconds);
    case 'desk_phone':
      return {
        mode: 'desk_phone',
        scheme: telephony.deskPhoneScheme ?? usualDeskPhoneScheme,
        no_answer_seconds: noAnswerSeconds,
      };
    case 'sip':
      return sipTelephony(services, owner, telephony, noAnswerSeconds);
    default:
      return unreachable(telephony.mode);
  }
}

async function demoTelephony(
  { demoCarrier, agentCard }: Needs,
  { companyId, agentId }: Owner,
  noAnswerSeconds: number,
): Promise<SessionTelephony> {
  if (demoCarrier === null) return { mode: 'none', why: 'not_set_up' };
  const { path, user, secret, domain, echoNumber } = demoCarrier.account(companyId, agentId);
  const { name } = await agentCard(companyId, agentId);
  return {
    mode: 'sip',
    demo: true,
    wss_url: path,
    user,
    secret,
    domain,
    display_name: name,
    // It listens on this machine alone, so no TURN server is needed.
    ice_servers: [],
    no_answer_seconds: noAnswerSeconds,
    echo_number: echoNumber,
  };
}

/**
 * Where an account or a TURN credential cannot be decrypted, there is no phone at all,
 * rather than one that fails at each call.
 */
async function sipTelephony(
  services: Needs,
  { companyId, agentId }: Owner,
  {
    callIdHeader,
    callerIdHeader,
    dialedNumberHeader,
    echoNumber,
    queueHeader,
    sipWssUrl,
    sipDomain,
    iceServersEncrypted,
    transferBy,
    transferCode,
  }: Telephony,
  noAnswerSeconds: number,
): Promise<SessionTelephony> {
  const sealed = await services.agents.findSipAccount(companyId, agentId);
  const by = transferBy ?? usualTransferWay;
  if (sealed === null || sipWssUrl === null) return { mode: 'none', why: 'no_account' };
  try {
    return {
      mode: 'sip',
      demo: false,
      wss_url: sipWssUrl,
      ...openSipAccount(services.cipher, companyId, agentId, sealed),
      domain: sipDomain ?? new URL(sipWssUrl).hostname,
      display_name: sealed.name,
      ice_servers: iceServersFor(services, { companyId, agentId }, iceServersEncrypted),
      no_answer_seconds: noAnswerSeconds,
      ...(callIdHeader === null ? {} : { call_id_header: callIdHeader }),
      ...(dialedNumberHeader === null ? {} : { dialed_number_header: dialedNumberHeader }),
      ...(queueHeader === null ? {} : { queue_header: queueHeader }),
      ...(callerIdHeader === null ? {} : { caller_id_header: callerIdHeader }),
      ...(echoNumber === null ? {} : { echo_number: echoNumber }),
      ...(by === usualTransferWay && transferCode === null
        ? {}
        : { transfer: { by, code: transferCode ?? usualTransferCodes[by] } }),
    };
  } catch (error) {
    services.observer.problem('an agent cannot telephone: a stored secret does not open', error, {
      company_id: companyId,
      agent_id: agentId,
    });
    return { mode: 'none', why: 'no_account' };
  }
}
