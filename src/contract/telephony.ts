import { z } from 'zod';
import type { CompanyLine } from './callRules.ts';
import type { SkipReason, SpeedDial } from './dialing.ts';
import { says } from './fieldErrors.ts';
import type { PopLayout } from './popLayout.ts';
import {
  deskPhoneSchemes,
  telephonyModes,
  type TransferWay,
  transferWays,
  usualCallerIdHeader,
  usualCallIdHeader,
  usualTransferCodes,
} from './vocabulary.ts';
import {
  controls,
  optional,
  shortText,
  singleLine,
  timestamp,
  type CodeWithLabel,
  type DispositionOption,
} from './values.ts';

/** How the agents of a company telephone: what its admin sets, and what each agent's own session is given. */

const sipDomain = z
  .string()
  .max(253)
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?$/,
    says('not_a_host', 'must be a host name or address such as "pbx.example.com"'),
  );

const wssUrlWanted = says('not_a_wss_url', 'must be a URL such as "wss://pbx.example.com/ws"');
/** `wss:`; plain `ws:` only to this machine, where nobody listens in. */
const sipWssUrl = z
  .string()
  .max(2048)
  .regex(new RegExp(`^[Ww][Ss]{1,2}://[^\\s${controls}\\\\]+$`), { error: wssUrlWanted, abort: true })
  // Browsers open no WebSocket with a fragment, and the address is shown to every admin.
  .regex(/^[A-Za-z]+:\/\/[^@#/?]*(?:[/?][^#]*)?$/, {
    error: says('url_with_credentials', 'must hold no user, password or fragment'),
    abort: true,
  })
  .regex(
    /^(?:[Ww][Ss][Ss]:|[Ww][Ss]:\/\/(?:127\.0\.0\.1|localhost)(?:[:/?]|$))/,
    says('not_wss', 'must begin with wss:// (ws:// is for this machine alone)'),
  )
  .refine((text) => URL.canParse(text), wssUrlWanted);

const serverWanted = says('not_a_server', 'must name a host or address, and where a port follows, one from 1 to 65535');
/** As RFC 7064 and RFC 7065 write them: browsers make no connection at all with a list that holds another spelling. */
const iceUrl = z
  .string()
  .max(500)
  .regex(/^(?:stuns?:[^?]+|turns?:[^?]+(?:\?transport=(?:udp|tcp))?)$/, {
    error: says(
      'not_an_ice_url',
      'must be a stun:, stuns:, turn: or turns: URL such as "turn:turn.example.com:3478?transport=udp"',
    ),
    abort: true,
  })
  .regex(/^[a-z]+:(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?:\?|$)/, {
    error: serverWanted,
    abort: true,
  })
  .refine((text) => namesServer(text.replace(/^[a-z]+:/, '').replace(/\?.*$/, '')), serverWanted);

/** @param text `host`, `host:port`, `192.0.2.1`, `[2001:db8::1]:port` */
function namesServer(text: string): boolean {
  const [, name, address, port] =
    /^(?:([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)|\[([0-9A-Fa-f:.]+)\])(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (name === undefined && address === undefined) return false;
  // Refuses what is no address, such as 999.1.1.1 or [1::2::3].
  if (!URL.canParse(`http://${address === undefined ? name : `[${address}]`}`)) return false;
  return port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
}

/** A header that no SIP element understands by itself: none that begins so is registered (RFC 3261, 25.1; IANA). */
const ownHeader = z
  .string()
  .regex(/^(?:|[Xx]-[A-Za-z0-9-]{1,62})$/, says('not_an_x_header', 'must be a header that begins with "X-", or empty'))
  // By which telephones of the gateway say for which call a colleague is rung.
  .regex(
    /^(?!X-Readyline-Call$)/i,
    says('not_an_x_header', 'must not be X-Readyline-Call, which has a meaning already'),
  );

/**
 * One STUN or TURN server. `credential` and `secret` are never shown again; leaving them out keeps what is stored.
 */
const requestedIceServer = z
  .strictObject({
    urls: z.array(iceUrl).min(1).max(10),
    username: shortText.nullable().optional(),
    credential: optional(z.string().min(1).max(500)),
    secret: optional(
      z.string().min(1).max(500).regex(singleLine, says('control_characters', 'must not hold control characters')),
    ).meta({
      description:
        'In place of user and credential: shared with the TURN server (`static-auth-secret` of coturn). ' +
        'Each softphone is given a user and a credential of its own, made with it, for 12 hours',
    }),
  })
  .refine(({ secret, username, credential }) => secret === undefined || (username ?? credential) === undefined, {
    path: ['secret'],
    message: says('secret_beside_user', 'cannot be set beside `username` or `credential`'),
  })
  .refine(({ secret, urls }) => secret === undefined || urls.some((url) => url.startsWith('turn')), {
    path: ['secret'],
    message: says('secret_without_turn', 'is for a turn: or turns: URL alone'),
  })
  .meta({
    anyOf: [
      { properties: { secret: { type: 'null' } } },
      {
        properties: {
          username: { type: 'null' },
          credential: { type: 'null' },
          urls: { not: { items: { pattern: '^stun' } } },
        },
      },
    ],
  });

/** In which the PBX tells something of a call that comes in. */
const toldHeader = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, says('not_a_header', 'must be the name of a header such as "X-DID"'));

/** Every field optional; null clears what can be empty. */
export const updateTelephonyRequest = z
  .strictObject({
    mode: optional(z.enum(telephonyModes)).meta({
      description:
        '`sip`: the page is the telephone, by SIP over WebSocket to the company’s own PBX or SBC. ' +
        '`desk_phone`: the page opens a link that the agent’s telephone follows. `none`: nothing is set up',
    }),
    sip_wss_url: sipWssUrl.nullable().optional(),
    sip_domain: sipDomain.nullable().optional().meta({
      description: 'Host of the agents’ SIP addresses; null: the host of `sip_wss_url`',
    }),
    ice_servers: optional(z.array(requestedIceServer).max(10)).meta({ description: 'Replaces the former list' }),
    no_answer_seconds: z.int().min(5).max(300).nullable().optional().meta({
      description: 'An outbound call that nobody has answered by then ends as `no_answer`; null: 60',
    }),
    desk_phone_scheme: z.enum(deskPhoneSchemes).nullable().optional().meta({ description: 'null: `tel`' }),
    call_id_header: ownHeader
      .nullable()
      .optional()
      .meta({
        description:
          `The header of an outbound call’s INVITE that has the call’s id; null: \`${usualCallIdHeader}\`. ` +
          'Empty: the PBX is not told',
      }),
    dialed_number_header: toldHeader
      .nullable()
      .optional()
      .meta({
        description:
          'The header of an inbound call’s INVITE in which the PBX tells the number that the customer called. null: ' +
          '`History-Info`, `Diversion`, `P-Called-Party-ID` and `To` alone, in this order',
      }),
    queue_header: toldHeader
      .nullable()
      .optional()
      .meta({
        description:
          'The header of an inbound call’s INVITE in which the PBX tells where the call waited, as text or as an ' +
          'address with a name. null: none',
      }),
    caller_id_header: z
      .string()
      .regex(
        /^(?:From|P-Preferred-Identity|P-Asserted-Identity|[Xx]-[A-Za-z0-9-]{1,62})$/,
        says('not_a_caller_id_header', 'must be From, P-Preferred-Identity, P-Asserted-Identity, or begin with "X-"'),
      )
      .nullable()
      .optional()
      .meta({
        description:
          'In which header of an outbound call’s INVITE the PBX is told the number that the customer is to see. ' +
          `null: \`${usualCallerIdHeader}\``,
      }),
    echo_number: z
      .string()
      .regex(/^[+0-9*#]{1,32}$/, says('not_an_extension', 'must be 1 to 32 of the signs 0-9, *, # and +'))
      .nullable()
      .optional()
      .meta({
        description: 'At which the PBX plays back what it hears, for a test call. null: agents can make none',
        examples: ['*43'],
      }),
    transfer_by: z
      .enum(transferWays)
      .nullable()
      .optional()
      .meta({
        description:
          'How the PBX is asked to hand a call on: `refer` (RFC 3515), or `tones` in the call, for one that knows a ' +
          'feature code alone. null: `refer`',
      }),
    transfer_code: z
      .string()
      .regex(
        /^[0-9*#,]{0,24}\{number\}[0-9*#,]{0,24}$/,
        says(
          'not_a_transfer_code',
          'must hold {number}, with at most 24 of the signs 0-9, *, # and comma on each side',
        ),
      )
      .nullable()
      .optional()
      .meta({
        description:
          'What the PBX is asked for, with `{number}` for whom: tones, in which a comma waits two seconds and a ' +
          'leading + is 00; or, without commas, the number of the REFER. ' +
          `null: \`${usualTransferCodes.tones}\` by tones, else \`${usualTransferCodes.refer}\``,
        examples: ['##{number}#'],
      }),
  })
  .meta({ id: 'UpdateTelephony' });
export type UpdateTelephonyRequest = z.infer<typeof updateTelephonyRequest>;

export const telephonyView = z
  .object({
    mode: z.enum(telephonyModes),
    sip_wss_url: z.string().nullable(),
    sip_domain: z.string().nullable(),
    ice_servers: z.array(
      z.object({
        urls: z.array(z.string()),
        username: z.string().nullable(),
        credential_set: z.boolean(),
        secret_set: z.boolean(),
      }),
    ),
    no_answer_seconds: z.int(),
    desk_phone_scheme: z.enum(deskPhoneSchemes),
    call_id_header: z.string().meta({ description: 'Empty: none' }),
    dialed_number_header: z.string().nullable(),
    queue_header: z.string().nullable(),
    caller_id_header: z.string(),
    echo_number: z.string().nullable(),
    transfer_by: z.enum(transferWays),
    transfer_code: z.string().nullable(),
    demo_carrier: z.boolean().meta({
      description: 'While `mode` is `none`, agents are connected to the answering machine that echoes what they say',
    }),
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'Telephony' });
export type TelephonyView = z.infer<typeof telephonyView>;

/**
 * As `RTCPeerConnection` takes it. `expires_at`: ISO 8601, when no connection to the TURN server can be begun with it
 * any more; absent: never.
 */
export type IceServer = { urls: string[]; username?: string; credential?: string; expires_at?: string };

/** `code`: see `transfer_code` of the settings. */
export type TransferCode = { by: TransferWay; code: string };

/** What one agent's own session telephones with. It holds that agent's secret and is shown to nobody else. */
export type SessionTelephony =
  /** `no_account`: the company telephones by SIP, and this agent has no SIP user or secret yet. */
  | { mode: 'none'; why: 'not_set_up' | 'no_account' }
  | { mode: 'desk_phone'; scheme: 'tel' | 'sip'; no_answer_seconds: number }
  | {
      mode: 'sip';
      /** The answering machine of the demo, not a PBX. */
      demo: boolean;
      /** Absolute, or a path on the gateway's own origin. */
      wss_url: string;
      user: string;
      secret: string;
      domain: string;
      display_name: string;
      ice_servers: IceServer[];
      no_answer_seconds: number;
      /** In which header the network is told a call's id; empty: it is not. Absent: `usualCallIdHeader`. */
      call_id_header?: string;
      /** In which header the network tells the number that a customer called, before the standard ones. */
      dialed_number_header?: string;
      /** In which header the network tells where a call waited. Absent: in none. */
      queue_header?: string;
      /** In which header the network is told the number that the customer is to see. Absent: `usualCallerIdHeader`. */
      caller_id_header?: string;
      /** Plays back what it hears. Absent: none is known. */
      echo_number?: string;
      /** How the network is asked to hand a call on. Absent: by a REFER to whom the agent names. */
      transfer?: TransferCode;
    };

/** What a softphone needs to know of its company; asked for with `read_settings`, again after `settings_changed`. */
export type SessionSettings = {
  dispositions: DispositionOption[];
  /** All that the agent may choose from: the standard ones, then the company's own. */
  not_ready_reasons: CodeWithLabel[];
  /**
   * What the agent may mark a call with, and whether in words of their own, too;
   * gateways of the version before tell neither.
   */
  tags?: CodeWithLabel[];
  free_tags?: boolean;
  wrap_up_seconds: number;
  /** How long a wrap-up may last in all while the agent goes on typing; see `extend_wrap_up`. */
  wrap_up_max_seconds: number;
  /** Whether a second call is shown to who is on one, and not turned away; absent in what gateways of before tell. */
  call_waiting?: boolean;
  default_country: string | null;
  /** Whether the company works with the contacts of the built-in CRM; a gateway of the version before tells nothing. */
  contacts?: boolean;
  /** How screen pops show their fields; likewise. */
  pop?: PopLayout;
  /**
   * Whether agents look at the customer before they call back, and with which reasons they skip a call;
   * absent in what gateways of before tell.
   */
  preview_dial?: boolean;
  skip_reasons?: SkipReason[];
  /** What the numbers are called that customers call; absent likewise. */
  lines?: CompanyLine[];
  /** The numbers that calls may go out by, and by which the agent's do; null: as the PBX has it. Absent likewise. */
  outgoing_numbers?: SpeedDial[];
  outgoing_number?: string | null;
  /**
   * The telephony platforms, by the ids of their connectors,
   * that are asked where the agent asks for a state that they set; absent likewise.
   */
  state_platforms?: string[];
  telephony: SessionTelephony;
};
