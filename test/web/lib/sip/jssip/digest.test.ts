import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../../../web/src/lib/sip/jssip/digest.ts';
import { bestChallenge } from '../../../../../web/src/lib/sip/jssip/reading/challenges.ts';
import { sha256 } from '../../../../../web/src/lib/sip/jssip/sha256.ts';

describe('SHA-256', () => {
  it.each([0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 1_000])('of %i letters is what others reckon', (length) => {
    const text = 'ä9'.repeat(length).slice(0, length);
    expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
  });
});

describe('the answer to a challenge', () => {
  const account = { username: 'Mufasa', password: 'Circle of Life' };
  const asked = {
    method: 'GET',
    uri: '/dir/index.html',
    body: null,
    cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
    nc: 1,
  };
  const challenge = {
    realm: 'http-auth@example.org',
    nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
    opaque: 'FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS',
    qop: ['auth'],
  };

  // RFC 7616, 3.9.1.
  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('in %s is that of the standard', (algorithm, response) => {
    const said = digestOf({ ...challenge, algorithm }, account, asked);
    for (const part of [
      `response="${response}"`,
      `algorithm=${algorithm}`,
      'qop=auth',
      'nc=00000001',
      `opaque="${challenge.opaque}"`,
    ])
      expect(said).toContain(part);
  });

  it('of before qop is known, and of a session', () => {
    const md5 = (text: string) => createHash('md5').update(text).digest('hex');
    const secret = md5(`${account.username}:r:${account.password}`);
    expect(digestOf({ realm: 'r', nonce: 'n' }, account, asked)).toContain(
      `response="${md5(`${secret}:n:${md5(`GET:${asked.uri}`)}`)}"`,
    );
    const ofSession = sha256(`${sha256(`${account.username}:r:${account.password}`)}:n:${asked.cnonce}`);
    const said = digestOf({ realm: 'r', nonce: 'n', algorithm: 'SHA-256-sess', qop: ['auth'] }, account, asked);
    expect(said).toContain(
      `response="${sha256(`${ofSession}:n:00000001:${asked.cnonce}:auth:${sha256(`GET:${asked.uri}`)}`)}"`,
    );
  });
});

describe('of several challenges', () => {
  const md5 = 'Digest realm="a", nonce="m", algorithm=MD5, qop="auth"';
  const sha = 'Digest realm="a", nonce="s", algorithm=SHA-256, qop="auth"';
  it.each([
    [[md5, sha], sha],
    [[sha, md5], sha],
    [[`${md5}, ${sha}`], sha],
    [['Digest realm="a", nonce="x", algorithm=SHA-512-256', md5], md5],
    [['Basic realm="a"', 'NTLM', md5], md5],
    [['Digest realm="a", nonce="s", algorithm="SHA-256", qop=auth'], sha],
    [['digest nonce="s" realm=a algorithm=sha-256 qop="auth-int,auth"'], sha],
    [['Digest realm="a, Digest b", nonce="n"'], 'Digest realm="a, Digest b", nonce="n", algorithm=MD5'],
    [
      ['Digest realm="a", nonce="n", stale=TRUE, opaque=""'],
      'Digest realm="a", nonce="n", opaque="", algorithm=MD5, stale=true',
    ],
  ])('%j the best is left', (values, left) => {
    const headers = values.map((value) => ({ name: 'www-authenticate', value }));
    expect(bestChallenge([{ name: 'to', value: 'x' }, ...headers])).toEqual([
      { name: 'to', value: 'x' },
      { name: 'www-authenticate', value: left },
    ]);
  });

  it.each([
    [['Digest realm="a", nonce="x", algorithm=SHA-512-256', 'Basic realm="a"'], 'SHA-512-256, Basic'],
    [['Digest realm="a", nonce="x", qop="token"'], 'MD5'],
    [['???'], 'none'],
  ])('%j none is, and their names are', (values, left) => {
    expect(bestChallenge(values.map((value) => ({ name: 'proxy-authenticate', value })))).toEqual([
      { name: 'X-Unknown-Challenges', value: left },
    ]);
  });
});
