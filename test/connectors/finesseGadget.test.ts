import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { connectors } from '../../src/connectors/registry.ts';
import { company, filesOf, placeOf } from '../support/cti/recipeFiles.ts';

/** The gadget in a desktop, as far as it uses one. */
function desktop() {
  const posted: Record<string, string>[] = [];
  const dialed: string[] = [];
  const handlers: {
    add?: (dialog: object) => void;
    remove?: (dialog: object) => void;
    submit?: (event: object) => void;
  } = {};
  const elements: Record<string, Record<string, unknown>> = {
    readylineCustomer: { src: '' },
    readylineSaid: { textContent: '' },
    readylineNumber: { value: ' 915551230001 ' },
    readylineDial: {
      addEventListener: (_name: string, handler: (event: object) => void) =>
        Object.assign(handlers, { submit: handler }),
    },
  };
  const gadgets = {
    window: { adjustHeight: () => undefined },
    io: {
      RequestParameters: { METHOD: 'm', CONTENT_TYPE: 't', HEADERS: 'h', POST_DATA: 'd' },
      MethodType: { POST: 'POST' },
      ContentType: { JSON: 'JSON' },
      makeRequest: (url: string, _done: () => void, { d }: { d: string }) => {
        expect(url).toBe(placeOf('cisco').events);
        posted.push(JSON.parse(d));
      },
    },
  };
  const me = {
    getId: () => 'ada',
    getState: () => 'READY',
    getExtension: () => '1001001',
    makeCall: (number: string, { error }: { error: (refused: object) => void }) => {
      dialed.push(number);
      error({ status: 400 });
    },
    getDialogs: ({
      onCollectionAdd: add,
      onCollectionDelete: remove,
    }: {
      onCollectionAdd: (dialog: object) => void;
      onCollectionDelete: (dialog: object) => void;
    }) => Object.assign(handlers, { add, remove }),
  };
  function User({ onLoad }: { onLoad: (user: object) => void }) {
    queueMicrotask(() => onLoad(me));
    return me;
  }
  const finesse = {
    gadget: { Config: { id: 'ada' } },
    clientservices: { ClientServices: { init: () => undefined } },
    restservices: { User },
  };
  runInNewContext(`${filesOf('cisco').get('Readyline.js')!.text}; readyline.begin();`, {
    gadgets,
    finesse,
    document: { getElementById: (id: string) => elements[id] },
  });
  return { dialed, elements, handlers, posted };
}

/** A call as Finesse's library gives it: as a whole it is never held, and each participant is in a state of its own. */
function dialogOf(type = 'ACD_IN') {
  const own: Record<string, string> = { mediaAddress: '1001001', mediaAddressType: 'AGENT_DEVICE', state: 'ALERTING' };
  const customer = { mediaAddress: '15551230001', mediaAddressType: '', state: 'ACTIVE' };
  const listening: { changed?: (dialog: object) => void } = {};
  const dialog = {
    getId: () => '1',
    getState: () => (['ALERTING', 'INITIATED', 'FAILED', 'DROPPED'].includes(own['state']!) ? own['state'] : 'ACTIVE'),
    getParticipants: () => [customer, own],
    getMediaProperties: () => ({ callType: type }),
    getFromAddress: () => (type === 'OUT' ? '1001001' : '15551230001'),
    getToAddress: () => (type === 'OUT' ? '15551230001' : '6300'),
    addHandler: (_name: string, handler: (dialog: object) => void) => Object.assign(listening, { changed: handler }),
  };
  const become = (state: string, more: Record<string, string> = {}) => {
    Object.assign(own, { state, ...more });
    listening.changed!(dialog);
  };
  return { become, dialog };
}

it('tells what is read: each event once, when it happened, and held calls that go on too', async () => {
  const { elements, handlers, posted } = desktop();
  await Promise.resolve();
  const { become, dialog } = dialogOf();
  handlers.add!(dialog);
  for (const [state, second] of [
    ['ALERTING', 0],
    ['ACTIVE', 1],
    ['ACTIVE', 1],
    ['HELD', 2],
    ['HELD', 2],
    ['ACTIVE', 3],
    ['ACTIVE', 3],
    ['HELD', 4],
    ['ACTIVE', 5],
  ] as const)
    become(state, { stateChangeTime: `2026-11-23T10:00:0${second}.000Z` });
  handlers.remove!(dialog);
  expect(posted.map(({ event }) => event)).toEqual([
    'agent_state',
    'ringing',
    'answered',
    'held',
    'resumed',
    'held',
    'resumed',
    'ended',
  ]);
  expect(posted.slice(2, -1).map(({ at }) => at?.slice(17, 19))).toEqual(['01', '02', '03', '04', '05']);
  expect(new URL(String(elements['readylineCustomer']!['src'])).searchParams.toString()).toBe(
    new URLSearchParams({ company, phone: '15551230001', call: '1' }).toString(),
  );
  for (const one of posted) {
    const read = connectors.get('cisco')!.read({
      headers: { 'content-type': 'application/json' },
      query: new URLSearchParams(),
      body: Buffer.from(JSON.stringify(one)),
      receivedAt: 0,
    });
    expect(read).toMatchObject([{ agent: { id: 'ada' } }]);
  }
});

it('tells why a call of the agent’s failed, once, and that it wraps up when it is over', async () => {
  const failing = desktop();
  await Promise.resolve();
  const busy = dialogOf('OUT');
  failing.handlers.add!(busy.dialog);
  busy.become('FAILED', { stateCause: 'BUSY' });
  failing.handlers.remove!(busy.dialog);
  expect(failing.posted.slice(1)).toMatchObject([
    { event: 'ringing', direction: 'outbound', customer_number: '15551230001' },
    { event: 'ended', cause: 'busy' },
  ]);
  const over = dialogOf();
  failing.handlers.add!(over.dialog);
  for (const state of ['ACTIVE', 'WRAP_UP', 'DROPPED']) over.become(state);
  failing.handlers.remove!(over.dialog);
  expect(failing.posted.slice(3).map(({ event }) => event)).toEqual(['ringing', 'answered', 'ended']);
});

it('dials what is typed, and says what was refused', async () => {
  const { dialed, elements, handlers } = desktop();
  await Promise.resolve();
  handlers.submit!({ preventDefault: () => undefined });
  expect(dialed).toEqual(['915551230001']);
  expect(elements['readylineSaid']!['textContent']).toBe('The call was refused (400).');
});
