import net from 'node:net';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { addressRefusal } from '../../../src/adapters/webhook/addressPolicy.ts';
import { peerRefusal } from '../../../src/adapters/webhook/guardedConnector.ts';
import { createWebhookUrlGuard } from '../../../src/adapters/webhook/urlGuard.ts';
import { dnsOf, hostileNames } from '../../support/webhooks/hostileUrls.ts';
import { closeLater, listen } from '../../support/webhooks/listeners.ts';

describe('the public policy', () => {
  it.each([
    ['plain http', 'http://crm.example/hook', 'https://'],
    ['another scheme', 'ftp://crm.example/hook', 'https://'],
    ['a script', 'javascript:alert(1)', 'https://'],
    ['a file', 'file:///etc/passwd', 'https://'],
    ['a user name', 'https://user@crm.example/hook', 'user name'],
    ['a password', 'https://:secret@crm.example/hook', 'password'],
    ['a fragment', 'https://crm.example/hook#part', 'fragment'],
    ['an empty fragment', 'https://crm.example/hook#', 'fragment'],
    ['more than 2,048 characters', `https://crm.example/${'a'.repeat(2048)}`, '2048'],
    ['a line break', 'https://crm.example/\nhook', 'valid'],
    ['a backslash', 'https:\\\\crm.example\\hook', 'valid'],
    ['port 0', 'https://crm.example:0/hook', 'port 0'],
    ['an empty part in the name', 'https://crm..example/hook', 'empty part'],
    ['a URL without its slashes', 'https:crm.example/hook', 'after https://'],
    ['a relative path', '/hook', 'valid'],
    ['no text', '', 'valid'],
    ['a broken IPv4 address', 'https://1.2.3.4.5/hook', 'valid'],
    ['a zone in an IPv6 address', 'https://[fe80::1%25eth0]/hook', 'valid'],
  ])('refuses %s and says why', async (_what, url, words) => {
    const guard = createWebhookUrlGuard({ policy: 'public', resolveHost: hostileNames });
    const verdict = await guard.check(url);
    expect(verdict).toMatchObject({ kind: 'refused', detail: expect.stringContaining(words) });
  });

  it('keeps every private IPv4 address out, however it is written', async () => {
    const inner = fc.oneof(
      fc.tuple(fc.constant(10), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(127), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
    );
    const spelling = fc.constantFrom<(parts: number[]) => string>(
      (parts) => parts.join('.'),
      (parts) => String(parts.reduce((sum, part) => sum * 256 + part, 0)),
      (parts) => `0x${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`,
      (parts) => parts.map((part) => `0${part.toString(8)}`).join('.'),
      (parts) => `[::ffff:${parts.join('.')}]`,
      (parts) => `[64:ff9b::${parts.join('.')}]`,
    );
    await fc.assert(
      fc.asyncProperty(inner, spelling, async (parts, spell) => {
        const guard = createWebhookUrlGuard({ policy: 'public', resolveHost: hostileNames });
        expect((await guard.check(`https://${spell(parts)}/`)).kind).toBe('refused');
      }),
    );
  });
});

describe('the address truly connected to', () => {
  it('is judged like any other', async () => {
    const listener = await listen(net.createServer());
    const socket = net.connect(listener.port, '127.0.0.1');
    closeLater(() => Promise.resolve(socket.destroy()));
    await new Promise((resolve) => socket.once('connect', resolve));

    expect(peerRefusal(socket, 'localhost', 'https:', 'public')).toMatchObject({ reason: 'blocked_address' });
    expect(peerRefusal(socket, 'localhost', 'https:', 'loopback')).toBeNull();
  });
});

describe('what may be saved', () => {
  const resolveHost = dnsOf({
    'crm.example': ['93.184.215.14', '2606:2800:21f::1'],
    'here.example': ['127.0.0.1'],
    localhost: ['127.0.0.1'],
  });

  it.each([
    'https://crm.example/hook?x=1',
    'https://crm.example:8443',
    'https://93.184.215.14/',
    'https://[2606:2800:21f::1]/',
  ])('accepts %s under the public policy, exactly as written', async (url) => {
    expect(await createWebhookUrlGuard({ policy: 'public', resolveHost }).check(url)).toEqual({ kind: 'ok', url });
  });

  it('accepts a name that does not resolve yet: deliveries will tell', async () => {
    const url = 'https://not-yet.example/hook';
    expect(await createWebhookUrlGuard({ policy: 'public', resolveHost }).check(url)).toEqual({ kind: 'ok', url });
  });

  it.each([
    ['http://127.0.0.1:9000/', 'ok'],
    ['http://localhost:9000/', 'ok'],
    ['http://[::1]:9000/', 'ok'],
    ['https://127.0.0.1/', 'ok'],
    ['http://here.example/', 'ok'],
    ['https://crm.example/', 'ok'],
    ['http://crm.example/', 'refused'],
    ['http://93.184.215.14/', 'refused'],
    ['http://10.0.0.1/', 'refused'],
    ['https://10.0.0.1/', 'refused'],
    ['http://0.0.0.0/', 'refused'],
    ['http://[::ffff:127.0.0.1]/', 'refused'],
    ['http://169.254.169.254/', 'refused'],
  ])('under the loopback policy, %s is %s', async (url, kind) => {
    const guard = createWebhookUrlGuard({ policy: 'loopback', resolveHost });
    expect((await guard.check(url)).kind).toBe(kind);
  });

  it.each(['http://10.0.0.1/', 'http://receiver:8080/hook', 'https://192.168.1.1/', 'http://[fd00::1]/'])(
    'accepts %s under the policy for development networks',
    async (url) => {
      expect(await createWebhookUrlGuard({ policy: 'any', resolveHost }).check(url)).toEqual({ kind: 'ok', url });
    },
  );

  it.each(['ftp://10.0.0.1/', 'http://user@10.0.0.1/', 'http://10.0.0.1/#x'])(
    'refuses %s even under the policy for development networks',
    async (url) => {
      expect((await createWebhookUrlGuard({ policy: 'any', resolveHost }).check(url)).kind).toBe('refused');
    },
  );
});

describe('the address policy', () => {
  it('calls what it cannot read no public address', () => {
    expect(addressRefusal('', 'https:', 'public')).not.toBeNull();
    expect(addressRefusal('not an address', 'https:', 'loopback')).not.toBeNull();
    expect(addressRefusal('fe80::1%eth0', 'https:', 'public')).not.toBeNull();
  });

  it('lets no IPv6 address outside 2000::/3 pass', () => {
    const outside = fc
      .tuple(fc.nat(0xffff), fc.array(fc.nat(0xffff), { minLength: 7, maxLength: 7 }))
      .filter(([first]) => first >>> 13 !== 1)
      .map(([first, rest]) => [first, ...rest].map((group) => group.toString(16)).join(':'));
    fc.assert(fc.property(outside, (address) => addressRefusal(address, 'https:', 'public') !== null));
  });
});
