import { beforeEach, expect, it, vi } from 'vitest';
import { MutePeer } from '../../../../support/sip/mutePeer.ts';
import { headerOf } from '../../../../support/sip/scriptedPbx.ts';
import { useScriptedPhone } from '../../../../support/sip/scriptedPhone.ts';
import { eventually } from '../../../../support/time/waiting.ts';

const at = useScriptedPhone();
let peers: Peer[];

/** Tells a candidate of every way that it looks for anew. */
class Peer extends MutePeer {
  constructor(configuration?: RTCConfiguration) {
    super(configuration);
    peers.push(this);
  }
  override createOffer(options?: RTCOfferOptions | null): ReturnType<MutePeer['createOffer']> {
    const candidate = { candidate: 'candidate:1 1 udp 1 127.0.0.1 4000 typ host', port: 4000 };
    const tell = () => this.dispatchEvent(Object.assign(new Event('icecandidate'), { candidate }));
    if (options?.iceRestart === true) setTimeout(tell);
    return super.createOffer();
  }
  loses(): void {
    this.iceConnectionState = 'failed';
    this.dispatchEvent(new Event('iceconnectionstatechange'));
  }
}

beforeEach(() => {
  peers = [];
  vi.stubGlobal('RTCPeerConnection', Peer);
});

const server = (username: string) => ({ urls: ['turn:turn.example.com'], username, credential: 'made' });
const usersOf = (peer: Peer | undefined) => peer?.getConfiguration().iceServers?.map(({ username }) => username);

/** Asked for servers, the gateway tells those of that user. */
function tells(username: string): void {
  at().servers.renew = async () => void (at().servers.current = [server(username)]);
}

it('begins each call with the servers that are told for it, at one registration', async () => {
  const { pbx } = at();
  tells('first');
  await at().dials();
  expect(usersOf(peers[0])).toEqual(['first']);
  at().call?.hangUp();
  pbx.answer(await pbx.hears(/^BYE /), '200 OK');
  await eventually(() => at().told.some(([event]) => event === 'ended'));
  tells('second');
  await at().answers();
  expect(peers.map(usersOf)).toEqual([['first'], ['second']]);
  const registers = pbx.told.filter((text) => text.startsWith('REGISTER '));
  expect(new Set(registers.map((text) => headerOf(text, 'Call-ID'))).size).toBe(1);
});

it('looks for another way in a call that lasts by the servers of that moment', async () => {
  const { pbx } = at();
  tells('first');
  await at().dials();
  const before = pbx.told.length;
  tells('second');
  peers[0]?.loses();
  await pbx.hears(/^INVITE /, before);
  expect(peers.map(usersOf)).toEqual([['second']]);
});
