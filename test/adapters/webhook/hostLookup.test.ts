import dgram from 'node:dgram';
import { lookup as systemLookup } from 'node:dns/promises';
import { describe, expect, it } from 'vitest';
import { createDnsResolver } from '../../../src/adapters/webhook/hostResolver.ts';
import { createWebhookSender } from '../../../src/adapters/webhook/sender.ts';
import { closeLater, deferred } from '../../support/webhooks/listeners.ts';

type Question = { name: string; type: 'A' | 'AAAA' };

/** A DNS server on loopback; `answer` gives the addresses' bytes, or null for silence. Resolves with its address. */
async function dnsServer(answer: (question: Question) => Buffer[] | null): Promise<string> {
  const server = dgram.createSocket('udp4');
  server.on('message', (query, from) => {
    const end = query.indexOf(0, 12) + 1;
    const labels: string[] = [];
    for (let at = 12; at < end - 1; at += 1 + query.readUInt8(at)) {
      labels.push(query.toString('latin1', at + 1, at + 1 + query.readUInt8(at)));
    }
    const type = query.readUInt16BE(end) === 1 ? 'A' : 'AAAA';
    const found = answer({ name: labels.join('.'), type });
    if (found === null) return;
    const header = Buffer.from(query.subarray(0, 12));
    // An answer, with recursion; one question, the addresses, nothing else.
    header.set([0x81, 0x80, 0, 1, 0, found.length, 0, 0, 0, 0], 2);
    const records = found.map((address) =>
      // The name as in the question; its type, class IN, 60 s.
      Buffer.concat([Buffer.from([0xc0, 12, 0, type === 'A' ? 1 : 28, 0, 1, 0, 0, 0, 60, 0, address.length]), address]),
    );
    server.send(Buffer.concat([header, query.subarray(12, end + 4), ...records]), from.port, from.address);
  });
  closeLater(() => new Promise<void>((resolve) => server.close(() => resolve())));
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  return `127.0.0.1:${String(server.address().port)}`;
}

const four = (...bytes: number[]) => Buffer.from(bytes);
const six = (hex: string) => Buffer.from(hex, 'hex');

describe('names by DNS', () => {
  it('have all their addresses of both kinds', async () => {
    const server = await dnsServer(({ type }) =>
      type === 'A' ? [four(93, 184, 215, 14), four(127, 0, 0, 1)] : [six('26062800021f00000000000000000001')],
    );
    expect(await createDnsResolver([server])('crm.example')).toEqual([
      { address: '93.184.215.14', family: 4 },
      { address: '127.0.0.1', family: 4 },
      { address: '2606:2800:21f::1', family: 6 },
    ]);
  });

  it('have those of one kind when there are none of the other, and none when there are none', async () => {
    const server = await dnsServer(({ name, type }) =>
      name === 'six.example' && type === 'AAAA' ? [six('00'.repeat(15) + '01')] : [],
    );
    const resolveHost = createDnsResolver([server]);
    expect(await resolveHost('six.example')).toEqual([{ address: '::1', family: 6 }]);
    expect(await resolveHost('none.example')).toEqual([]);
  });

  it('that lead inside are not followed', async () => {
    const server = await dnsServer(({ type }) =>
      type === 'A' ? [four(93, 184, 215, 14)] : [six('00000000000000000000ffff7f000001')],
    );
    const sender = createWebhookSender({ policy: 'public', resolveHost: createDnsResolver([server]) });
    closeLater(() => sender.close());
    expect(await sender.send({ url: 'https://crm.example/', headers: {}, body: '{}' })).toMatchObject({
      code: 'blocked_address',
    });
  });

  it('whose servers are silent hold up no other: neither a name nor what else needs a thread', async () => {
    const allAsked = deferred();
    let questions = 0;
    const server = await dnsServer(() => {
      questions += 1;
      if (questions === 64) allAsked.resolve();
      return null;
    });
    const resolveHost = createDnsResolver([server]);
    let over = 0;
    const silent = Array.from({ length: 32 }, async (_, at) => {
      expect(await resolveHost(`silent-${String(at)}.example`)).toEqual([]);
      over += 1;
    });
    await allAsked.promise;
    expect(await systemLookup('localhost')).toMatchObject({ family: expect.any(Number) });
    expect(over).toBe(0);
    await Promise.all(silent);
  });
});
