import { expect, it } from 'vitest';
import { createSecretCipher } from '../../../src/adapters/crypto/secretCipher.ts';
import { type CompanyId, toId } from '../../../src/domain/ids.ts';
import { openIceServers, sealIceServers } from '../../../src/usecases/telephony/iceServers.ts';

const companyId = toId<CompanyId>('01a210dd-a630-73ec-ac0d-000000000001');

it('a TURN server’s secret is kept so that a gateway of the version before has what browsers need, and not the secret', () => {
  const cipher = createSecretCipher(Buffer.alloc(32, 1));
  const servers = [{ urls: ['turn:turn.example.com'], secret: 'north' }, { urls: ['stun:stun.example.com'] }];
  const sealed = sealIceServers(cipher, companyId, servers);
  expect(openIceServers(cipher, companyId, sealed)).toEqual(servers);
  // As that one opens them, and hands them to softphones.
  const before = cipher.decrypt(sealed ?? '', `ice-servers:${companyId}`);
  expect(JSON.parse(before)).toMatchObject([
    { urls: ['turn:turn.example.com'], username: expect.any(String), credential: expect.any(String) },
    { urls: ['stun:stun.example.com'] },
  ]);
  expect(before).not.toContain('north');
});
