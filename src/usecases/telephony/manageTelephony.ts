import type { TelephonyView, UpdateTelephonyRequest } from '../../contract/telephony.ts';
import { usualCallerIdHeader, usualCallIdHeader } from '../../contract/vocabulary.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import {
  type Telephony,
  type TelephonyChange,
  usualDeskPhoneScheme,
  usualNoAnswerSeconds,
  usualTransferWay,
} from '../../ports/telephony.ts';
import type { Services } from '../services.ts';
import { mergeIceServers, openIceServers, sealIceServers, type StoredIceServer } from './iceServers.ts';

type Needs = Pick<Services, 'cipher' | 'demoCarrier' | 'observer'>;

/** How the company telephones, without any secret. */
export async function readTelephony(
  services: Needs & Pick<Services, 'telephony'>,
  companyId: CompanyId,
): Promise<TelephonyView> {
  return telephonyView(services, companyId, await services.telephony.find(companyId));
}

/** The settings as admins see them. */
function telephonyView(services: Needs, companyId: CompanyId, telephony: Telephony): TelephonyView {
  return {
    mode: telephony.mode,
    sip_wss_url: telephony.sipWssUrl,
    sip_domain: telephony.sipDomain,
    ice_servers: storedIceServers(services, companyId, telephony).map(({ urls, username, credential, secret }) => ({
      urls,
      username: username ?? null,
      credential_set: credential !== undefined,
      secret_set: secret !== undefined,
    })),
    no_answer_seconds: telephony.noAnswerSeconds ?? usualNoAnswerSeconds,
    desk_phone_scheme: telephony.deskPhoneScheme ?? usualDeskPhoneScheme,
    call_id_header: telephony.callIdHeader ?? usualCallIdHeader,
    dialed_number_header: telephony.dialedNumberHeader,
    queue_header: telephony.queueHeader,
    caller_id_header: telephony.callerIdHeader ?? usualCallerIdHeader,
    echo_number: telephony.echoNumber,
    transfer_by: telephony.transferBy ?? usualTransferWay,
    transfer_code: telephony.transferCode,
    demo_carrier: telephony.mode === 'none' && services.demoCarrier !== null,
    updated_at: telephony.updatedAt?.toISOString() ?? null,
  };
}

/** The stored list; one that cannot be decrypted is reported and treated as none: the admin must enter it again. */
function storedIceServers(
  { cipher, observer }: Pick<Services, 'cipher' | 'observer'>,
  companyId: CompanyId,
  { iceServersEncrypted }: Telephony,
): StoredIceServer[] {
  try {
    return openIceServers(cipher, companyId, iceServersEncrypted);
  } catch (error) {
    observer.problem('the stored ICE servers do not open', error, { company_id: companyId });
    return [];
  }
}

/** Changes the telephony settings and tells the company's softphones. Absent is unchanged, null clears. */
export async function updateTelephony(
  services: Needs & Pick<Services, 'softphones' | 'telephony'>,
  companyId: CompanyId,
  body: UpdateTelephonyRequest,
): Promise<Outcome<TelephonyView>> {
  const saved = await services.telephony.save(companyId, (current) => decide(services, companyId, current, body));
  if (saved.kind === 'refused') return saved;
  services.softphones.settingsChanged(companyId);
  return ok(telephonyView(services, companyId, saved.value));
}

function decide(
  services: Needs,
  companyId: CompanyId,
  current: Telephony,
  { mode, sip_wss_url, sip_domain, ice_servers, no_answer_seconds, ...more }: UpdateTelephonyRequest,
): Outcome<TelephonyChange> {
  const urlAfter = sip_wss_url === undefined ? current.sipWssUrl : sip_wss_url;
  if ((mode ?? current.mode) === 'sip' && urlAfter === null) {
    return refuse('invalid_request', 'Telephoning by SIP needs the WebSocket address of the PBX.', {
      errors: [{ path: 'sip_wss_url', message: 'is required while `mode` is `sip`', code: 'required' }],
    });
  }
  const change: TelephonyChange = {
    ...(mode === undefined ? {} : { mode }),
    ...(sip_wss_url === undefined ? {} : { sipWssUrl: sip_wss_url }),
    ...(sip_domain === undefined ? {} : { sipDomain: sip_domain }),
    ...(no_answer_seconds === undefined ? {} : { noAnswerSeconds: no_answer_seconds }),
    ...(more.desk_phone_scheme === undefined ? {} : { deskPhoneScheme: more.desk_phone_scheme }),
    ...(more.call_id_header === undefined ? {} : { callIdHeader: more.call_id_header }),
    ...(more.dialed_number_header === undefined ? {} : { dialedNumberHeader: more.dialed_number_header }),
    ...(more.queue_header === undefined ? {} : { queueHeader: more.queue_header }),
    ...(more.caller_id_header === undefined ? {} : { callerIdHeader: more.caller_id_header }),
    ...(more.echo_number === undefined ? {} : { echoNumber: more.echo_number }),
    ...(more.transfer_by === undefined ? {} : { transferBy: more.transfer_by }),
    ...(more.transfer_code === undefined ? {} : { transferCode: more.transfer_code }),
  };
  if (ice_servers === undefined) return ok(change);
  const merged = mergeIceServers(ice_servers, storedIceServers(services, companyId, current));
  if (merged.kind === 'refused') return merged;
  return ok({ ...change, iceServersEncrypted: sealIceServers(services.cipher, companyId, merged.value) });
}
