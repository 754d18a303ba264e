import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { UA, URI } from 'jssip';
import DigestAuthentication from 'jssip/lib/DigestAuthentication.js';
import type { RTCSession } from 'jssip/lib/RTCSession.js';
import type { IncomingRequest, IncomingResponse } from 'jssip/lib/SIPMessage.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  anotherSession,
  type DialogInside,
  DialogRequestSender,
  type DigestInside,
  type IncomingRequestInside,
  insideOf,
  insideOfTelephone,
  type MessageTags,
  NewRequest,
  RequestSender,
  type SessionInside,
  tagsOf,
  type TelephoneInside,
} from '../../../../../web/src/lib/sip/jssip/jssipInside.ts';
import { SipSocket } from '../../../../../web/src/lib/sip/jssip/sipSocket.ts';
import { sdp } from '../../../../support/sip/mutePeer.ts';
import { ScriptedPbx, silence, standInForBrowser } from '../../../../support/sip/scriptedPbx.ts';

/** Each member by what it is; the types demand that none is left out. */
type Members<T> = Record<keyof T, 'array' | 'boolean' | 'function' | 'number' | 'object' | 'string' | 'undefined'>;

const ofSession: Members<SessionInside> = {
  emit: 'function',
  sendRequest: 'function',
  receiveRequest: 'function',
  onTransportError: 'function',
  onRequestTimeout: 'function',
  onDialogError: 'function',
  isReadyToReOffer: 'function',
  _ua: 'object',
  _contact: 'string',
  _dialog: 'object',
  _earlyDialogs: 'object',
  _is_canceled: 'boolean',
  _request: 'object',
  _localHold: 'boolean',
  _onhold: 'function',
  _onunhold: 'function',
  _remoteHold: 'boolean',
  _setLocalMediaStatus: 'function',
  _receiveInviteResponse: 'function',
  _handleSessionTimersInIncomingResponse: 'function',
  _handleSessionTimersInIncomingRequest: 'function',
  init_incoming: 'function',
  _connectionPromiseQueue: 'object',
  _createLocalDescription: 'function',
  _mangleOffer: 'function',
};
const ofDialog: Members<DialogInside> = {
  id: 'object',
  sendRequest: 'function',
  uac_pending_reply: 'boolean',
  uas_pending_reply: 'boolean',
  local_seqnum: 'number',
  _outgoing_ack_seqnum: 'number',
  _remote_target: 'object',
  _createRequest: 'function',
};
const ofTelephone: Members<TelephoneInside> = {
  receiveRequest: 'function',
  configuration: 'object',
  transport: 'object',
};
const ofTags: Members<MessageTags> = { call_id: 'string', from_tag: 'string', to_tag: 'string' };
const ofRequest: Members<Omit<IncomingRequestInside, keyof IncomingRequest>> = {
  to_tag: 'string',
  cseq: 'number',
  server_transaction: 'object',
  replaces: 'undefined',
  reply: 'function',
};
const ofDigest: Members<DigestInside> = { _credentials: 'object', _realm: 'object', _ha1: 'object', _nc: 'number' };

const kindsIn = (of: object, members: object) =>
  Object.fromEntries(Object.keys(members).map((name) => [name, typeof (of as Record<string, unknown>)[name]]));

let pbx: ScriptedPbx;
let ua: UA;

/** A telephone that is registered, with nothing around it. */
async function registered(): Promise<UA> {
  const { wssUrl, user, domain, secret } = pbx.account;
  ua = new UA({ sockets: [new SipSocket(wssUrl, () => undefined)], uri: `sip:${user}@${domain}`, password: secret });
  await new Promise<void>((resolve) => {
    ua.on('registered', () => resolve());
    ua.start();
  });
  return ua;
}

type Begun = { session: RTCSession; request: IncomingRequest };
const begun = () =>
  new Promise<Begun>((resolve) => ua.once('newRTCSession', (event) => resolve(event as unknown as Begun)));

describe('what this telephone takes of JsSIP that it does not promise', () => {
  beforeEach(async () => {
    standInForBrowser();
    pbx = await ScriptedPbx.open();
    await registered();
  });
  afterEach(async () => {
    await pbx.isLeftBy(() => ua.stop());
    await pbx.close();
    vi.unstubAllGlobals();
  });

  it('is all there, of a call that is connected', async () => {
    const [begins] = [begun(), ua.call('sip:+15551230001@pbx.test', { mediaStream: silence })];
    const { session } = await begins;
    const accepted = new Promise<IncomingResponse>((resolve) =>
      session.once('accepted', ({ response }: { response: IncomingResponse }) => resolve(response)),
    );
    pbx.answer(await pbx.hears(/^INVITE /), '200 OK', sdp);
    const answer = await accepted;
    const inside = insideOf(session);
    expect(kindsIn(inside, ofSession)).toEqual(ofSession);
    expect(kindsIn(inside._dialog ?? {}, ofDialog)).toEqual(ofDialog);
    expect(kindsIn(insideOfTelephone(ua), ofTelephone)).toEqual(ofTelephone);
    expect(Object.keys(insideOfTelephone(ua).configuration)).toEqual(
      expect.arrayContaining(['registrar_server', 'uri']),
    );
    expect(kindsIn(insideOfTelephone(ua).transport, { connect: '', disconnect: '' })).toEqual({
      connect: 'function',
      disconnect: 'function',
    });
    expect(kindsIn(tagsOf(answer), ofTags)).toEqual(ofTags);
    expect(Object.getPrototypeOf(anotherSession(session, ua))).toBe(Object.getPrototypeOf(session));
  });

  it('is all there, of somebody who calls', async () => {
    const begins = begun();
    pbx.invite();
    const { request } = await begins;
    expect(kindsIn(request, ofRequest)).toEqual(ofRequest);
  });

  it('is all there, of what sends requests and proves who one is', () => {
    for (const Sender of [RequestSender, DialogRequestSender]) expect(Sender.prototype.send).toBeTypeOf('function');
    expect(
      new NewRequest('OPTIONS', 'sip:pbx.test', ua, { to_uri: new URI('sip', 'ada', 'pbx.test') }).toString(),
    ).toMatch(/^OPTIONS sip:pbx\.test SIP/);
    const digest = new (DigestAuthentication as unknown as new (of: object) => DigestInside)({
      username: 'ada',
      password: 'secret',
    });
    expect(kindsIn(digest, ofDigest)).toEqual(ofDigest);
    expect(kindsIn(digest, { authenticate: '', toString: '' })).toEqual({
      authenticate: 'function',
      toString: 'function',
    });
  });
});

it('JsSIP is of the version that its inside was looked up in', () => {
  expect(createRequire(import.meta.url)('jssip/package.json').version).toBe('3.13.8');
});

it('the inside of JsSIP is reached in one file', () => {
  const folder = new URL('../../../../../web/src/lib/sip', import.meta.url).pathname;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/jssip(?:Inside|Modules\.d)\.ts$/.test(file),
  );
  expect(files.length).toBeGreaterThan(40);
  const reaching = files.filter((file) =>
    /^import (?!type )[^;]*'jssip\/lib\/(?!Grammar)|\b(?:ua|UA|session|Session|request)\b[^\n]* as unknown as/m.test(
      readFileSync(join(folder, file), 'utf8'),
    ),
  );
  expect(reaching).toEqual([]);
});
