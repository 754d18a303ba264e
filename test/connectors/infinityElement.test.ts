import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { connectors } from '../../src/connectors/registry.ts';
import { filesOf, placeOf } from '../support/cti/recipeFiles.ts';

it('tells of the agent’s calls with number and direction, by the secret, and shows the customer', async () => {
  type Told = (told: unknown) => void;
  const on: Record<string, Told> = {};
  const posted: { url: string; headers: Record<string, string>; fields: Record<string, string> }[] = [];
  const listen = (name: string) => (told: Told) => void (on[name] = told);
  const api = {
    getUserInfo: () =>
      Promise.resolve({ userId: 'u-1', email: 'ada@example.com', firstName: 'Ada', lastName: 'Byron' }),
    getInteraction: ({ interactionId }: { interactionId: string }) =>
      Promise.resolve({
        interactionId,
        status: 'alerting',
        direction: 'inbound',
        customer: { number: '+15551230001' },
      }),
    onInteractionUpdated: listen('updated'),
    onInteractionStatusChanged: listen('status'),
    onInteractionAccepted: listen('accepted'),
    onInteractionEnded: listen('ended'),
  };
  const frame = { src: '' };
  const fetched = (url: string, { body, headers }: { body: string; headers: Record<string, string> }) =>
    Promise.resolve(void posted.push({ url, headers, fields: JSON.parse(body) }));
  const program = filesOf('avaya')
    .get('readyline-infinity-element.js')!
    .text.replace(/^import .*$/m, '')
    .replace('export function', 'function');
  runInNewContext(`${program}; begin(api, frame);`, { api, frame, fetch: fetched, ElementAPI: Object, document: {} });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  for (const status of ['alerting', 'connected', 'held', 'connected', 'muted']) {
    on['status']!({ interactionId: 'i-1', status });
    if (status === 'alerting') {
      on['updated']!({
        interactionId: 'i-1',
        event: 'interaction.update',
        payload: { sourceDetails: { phoneNumber: '+15551230001' } },
      });
    }
    await settle();
    if (status === 'connected') on['accepted']!('i-1');
    await settle();
  }
  on['ended']!('i-1');
  await settle();
  expect(posted.map(({ fields }) => fields['event'])).toEqual(['ringing', 'answered', 'held', 'resumed', 'ended']);
  expect(new URL(frame.src).searchParams.get('phone')).toBe('+15551230001');
  for (const { fields, headers, url } of posted) {
    expect([url, headers['auth-token']]).toEqual([placeOf('avaya').events, 'YOUR-SECRET']);
    const [read] = connectors.get('avaya')!.read({
      headers: { 'content-type': 'application/json' },
      query: new URLSearchParams(),
      body: Buffer.from(JSON.stringify(fields)),
      receivedAt: 0,
    });
    expect(read).toMatchObject({
      kind: 'call',
      callId: 'i-1',
      agent: { id: 'u-1', email: 'ada@example.com' },
      customer: '+15551230001',
      direction: 'inbound',
    });
  }
});
