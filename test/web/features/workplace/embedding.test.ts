import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { root } from '../../../../demo/cluster/program.ts';
import { DialRefused, embedSoftphone } from '../../../../src/client/embed.ts';
import type { EmbedState } from '../../../../src/contract/embed.ts';
import { type CallId, type CompanyId, toId } from '../../../../src/domain/ids.ts';
import { ok } from '../../../../src/domain/outcome.ts';
import { changeScreenPop } from '../../../../src/usecases/screenPops/changeScreenPop.ts';
import type { Services } from '../../../../src/usecases/services.ts';
import { Embedding } from '../../../../web/src/features/workplace/embedding.ts';
import { openBreakableLine } from '../../../support/gateway/breakableLine.ts';
import { startGateway, type Gateway, type TestCompany } from '../../../support/gateway/gateway.ts';
import { Desk, sipAgent, sipCompany } from '../../../support/workplace/workplaces.ts';
import { eventually } from '../../../support/time/waiting.ts';

type MessageListener = (event: { data: unknown; origin: string; source: unknown }) => void;

/** Two windows of different origins that can do nothing with each other but post messages, as browsers have it. */
function frame(hostOrigin: string, pageOrigin: string) {
  const listeners = { host: new Set<MessageListener>(), page: new Set<MessageListener>() };
  const post = (to: Set<MessageListener>, origin: string, allowed: string, source: () => unknown) => ({
    postMessage(message: unknown, targetOrigin: string) {
      if (targetOrigin !== allowed) return;
      const data: unknown = structuredClone(message);
      queueMicrotask(() => {
        for (const listener of to) listener({ data, origin, source: source() });
      });
    },
  });
  const page: { postMessage(message: unknown, targetOrigin: string): void } = post(
    listeners.page,
    hostOrigin,
    pageOrigin,
    () => parent,
  );
  const parent: typeof page = post(listeners.host, pageOrigin, hostOrigin, () => page);
  const host = {
    addEventListener: (_type: 'message', listener: MessageListener) => void listeners.host.add(listener),
    removeEventListener: (_type: 'message', listener: MessageListener) => void listeners.host.delete(listener),
  };
  return {
    iframe: { contentWindow: page },
    host,
    parent,
    onMessage: (listener: MessageListener) => void listeners.page.add(listener),
  };
}

const crm = 'https://crm.example.com';
const softphone = 'https://gateway.example.com';
const phone = '+15551230001';
let gateway: Gateway;
let company: TestCompany;
let inside: Services;
const desks: Desk[] = [];

beforeAll(async () => {
  gateway = await startGateway('memory', { wrap: (services) => (inside = services) });
  company = await sipCompany(gateway, 'framed');
});
afterEach(() => {
  for (const desk of desks.splice(0)) desk.workplace.close();
});
afterAll(() => gateway.close());

/** A CRM page with the softphone in it. */
async function crmPage(
  options: {
    from?: string;
    allowed?: readonly string[] | Promise<readonly string[]>;
    isTold?: boolean;
    isBreakable?: boolean;
  } = {},
) {
  const { from = crm, allowed = [crm], isTold = true, isBreakable = false } = options;
  const line = isBreakable ? await openBreakableLine(gateway.url) : null;
  if (line !== null) onTestFinished(() => line.close());
  const desk = await new Desk(line ?? gateway, await sipAgent(gateway, company)).open();
  desks.push(desk);
  const { iframe, host, parent, onMessage } = frame(from, softphone);
  const embedding = new Embedding({
    parent,
    parentOrigin: isTold ? from : null,
    allowedOrigins: Promise.resolve(allowed),
    onMessage,
  });
  return { desk, embedding, iframe, host, line };
}

/** Resolves with the first state that fits. */
function stateOf(view: ReturnType<typeof embedSoftphone>, fits: (state: EmbedState) => boolean): Promise<EmbedState> {
  return new Promise((resolve) => {
    const end = view.onState((state) => {
      if (!fits(state)) return;
      queueMicrotask(() => end());
      resolve(state);
    });
  });
}

describe('the page around the softphone', () => {
  it('learns who is logged in and what they do, and dials', async () => {
    const { desk, embedding, iframe, host } = await crmPage();
    const view = embedSoftphone(iframe, { origin: softphone, host });
    expect(await stateOf(view, () => true)).toMatchObject({ agent: null, state: 'offline' });
    embedding.attach(desk.workplace);
    expect(await stateOf(view, ({ agent }) => agent !== null)).toMatchObject({
      state: 'not_ready',
      connected: true,
      phone_ready: true,
    });
    const pops: string[] = [];
    view.onPop((pop) => pops.push(pop.phone_number ?? ''));
    const callId = await view.dial(phone);
    expect(await stateOf(view, ({ call }) => call !== null)).toMatchObject({
      state: 'on_call',
      call: { id: callId, phone },
    });
    await eventually(() => expect(pops).toEqual([phone]));
    expect(desk.phone.did).toEqual([`dial ${phone}`]);
  });

  it('learns which number a customer has called, and where they waited', async () => {
    const { desk, embedding, iframe, host } = await crmPage();
    const view = embedSoftphone(iframe, { origin: softphone, host });
    embedding.attach(desk.workplace);
    await desk.goReady();
    desk.phone.isCalledBy({ phoneNumber: phone, displayName: null, dialedNumber: '8001', queue: 'Support' });
    expect(await stateOf(view, ({ call }) => call?.dialed_number != null)).toMatchObject({
      call: { phone, dialed_number: '8001', queue: 'Support' },
    });
  });

  it('is never told Ready while the gateway cannot reach the agent', async () => {
    const { desk, embedding, iframe, host, line } = await crmPage({ isBreakable: true });
    const view = embedSoftphone(iframe, { origin: softphone, host });
    embedding.attach(desk.workplace);
    await desk.goReady();
    await stateOf(view, ({ state, connected }) => state === 'ready' && connected);
    const told: EmbedState[] = [];
    view.onState((state) => told.push(state));
    line?.cut();
    expect(await stateOf(view, ({ connected }) => !connected)).toMatchObject({
      state: 'not_ready',
      reason: 'connection_lost',
    });
    expect(told.filter(({ state, connected }) => state === 'ready' && !connected)).toEqual([]);
    line?.mend();
    desk.workplace.hurry();
    await stateOf(view, ({ state, connected }) => state === 'ready' && connected);
  });

  it('knows the customer after a reload in mid-call: the state tells who it is, and the pop comes again', async () => {
    const { desk, embedding, iframe, host } = await crmPage();
    const record = { name: 'Ada Lovelace', external_system: 'my-crm', external_id: 'C-1' };
    await gateway.api
      .post('/api/integrations/inbound')
      .set('X-Service-Api-Key', company.key)
      .send({ phone_number: phone, data: { name: record.name }, external_system: 'my-crm', external_id: 'C-1' })
      .expect(200);
    const detach = embedding.attach(desk.workplace);
    const before = embedSoftphone(iframe, { origin: softphone, host });
    const heard: (string | boolean | undefined)[] = [];
    before.onPop((pop, repeated) => heard.push(pop.external_id ?? pop.screen_pop.external_id, repeated));
    const callId = await before.dial(phone);
    await eventually(() => expect(heard).toEqual(['C-1', false]));
    desk.phone.isAnswered();
    await stateOf(before, ({ call }) => call?.state === 'connected');
    expect(before.state?.call).toMatchObject({ id: callId, phone, ...record, contact_id: null, campaign_id: null });
    before.close();
    detach();
    desk.workplace.close();

    const again = new Desk(gateway, desk.agent, { tab: desk.tab });
    desks.push(again);
    const reloaded = frame(crm, softphone);
    const { parent, onMessage } = reloaded;
    const anew = new Embedding({ parent, parentOrigin: crm, allowedOrigins: Promise.resolve([crm]), onMessage });
    anew.attach(again.workplace);
    const after = embedSoftphone(reloaded.iframe, { origin: softphone, host: reloaded.host });
    const repeats: [string, string | undefined, boolean][] = [];
    after.onPop((pop, repeated) => repeats.push([pop.call_id, pop.screen_pop.external_id, repeated]));
    await again.open();
    expect((await stateOf(after, ({ call }) => call !== null)).call).toMatchObject({ id: callId, phone, ...record });
    await eventually(() => expect(repeats).toEqual([[callId, 'C-1', true]]));
    await again.workplace.setNotReady('break');
    await stateOf(after, ({ call }) => call !== null);
    expect(repeats).toHaveLength(1);
  });

  it('is told what comes to be known of the customer later, once', async () => {
    const { desk, embedding, iframe, host } = await crmPage();
    const view = embedSoftphone(iframe, { origin: softphone, host });
    const [popped, changed]: [string[], (string | undefined)[]] = [[], []];
    view.onPop((pop) => popped.push(pop.pop_id));
    const end = view.onPopChanged(({ screen_pop }) => changed.push(screen_pop.name));
    embedding.attach(desk.workplace);
    const callId = await view.dial('+15551230012');
    const call = { companyId: toId<CompanyId>(company.id), id: toId<CallId>(callId) };
    const record_url = 'https://crm.example.com/ada';
    const tell = (name: string) =>
      changeScreenPop(inside, call, ({ screenPop }) => ok({ ...screenPop, name, external_id: '7', record_url }));
    await tell('Ada Byron');
    expect((await stateOf(view, (state) => state.call?.record_url !== null && state.call !== null)).call).toMatchObject(
      { name: 'Ada Byron', external_id: '7', record_url },
    );
    await eventually(() => expect(changed).toEqual(['Ada Byron']));
    end();
    await tell('Annabella Byron');
    await stateOf(view, (state) => state.call?.name === 'Annabella Byron');
    expect([popped.length, changed]).toEqual([1, ['Ada Byron']]);
  });

  it('is told why nothing is dialed', async () => {
    const { desk, embedding, iframe, host } = await crmPage();
    const view = embedSoftphone(iframe, { origin: softphone, host });
    const refused = await view.dial(phone).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DialRefused);
    expect(refused).toMatchObject({ code: 'not_logged_in' });
    embedding.attach(desk.workplace);
    await expect(view.dial('no number')).rejects.toMatchObject({ code: 'invalid_phone' });
  });

  it('is told of nothing, and dials nothing, where the gateway does not know its origin', async () => {
    const { desk, embedding, iframe, host } = await crmPage({ from: 'https://stranger.example' });
    embedding.attach(desk.workplace);
    const heard: unknown[] = [];
    host.addEventListener('message', ({ data }) => heard.push(data));
    iframe.contentWindow.postMessage({ type: 'readyline:dial', request_id: '1', phone_number: phone }, softphone);
    iframe.contentWindow.postMessage({ type: 'readyline:read_state' }, softphone);
    // Something that certainly comes after whatever those could have set off.
    await desk.workplace.setNotReady('break');
    expect(heard).toEqual([]);
    expect(desk.phone.did).toEqual([]);
  });

  it('dials nothing any more when the gateway lets it speak only after a while', async () => {
    let allow = (_origins: readonly string[]) => {};
    const allowed = new Promise<readonly string[]>((resolve) => (allow = resolve));
    const { desk, embedding, iframe, host } = await crmPage({ allowed });
    const view = embedSoftphone(iframe, { origin: softphone, host });
    embedding.attach(desk.workplace);
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const dialing = expect(view.dial(phone)).rejects.toMatchObject({ code: 'unreachable' });
      // So that the request has come.
      await new Promise<void>((resolve) => setImmediate(resolve));
      vi.advanceTimersByTime(5_000);
      allow([crm]);
      await dialing;
    } finally {
      vi.useRealTimers();
    }
    expect(await stateOf(view, () => true)).toMatchObject({ state: 'not_ready', call: null });
    expect(desk.phone.did).toEqual([]);
  });

  it('believes the softphone’s origin alone', async () => {
    const { desk, embedding, iframe, host } = await crmPage();
    const view = embedSoftphone(iframe, { origin: 'https://elsewhere.example', host });
    embedding.attach(desk.workplace);
    await desk.workplace.setNotReady('break');
    expect(view.state).toBeNull();
  });

  it('works as the guide’s example does, without the package', async () => {
    const guide = readFileSync(`${root}docs/integrating/embed.md`, 'utf8');
    const [, example = ''] = /# The softphone in your page[^]*?```js\n([^]*?)```/.exec(guide) ?? [];
    expect(example).toContain('readyline:dial');
    // A page that speaks first is known by that.
    const { desk, embedding, iframe, host } = await crmPage({ isTold: false });
    embedding.attach(desk.workplace);
    const opened: unknown[] = [];
    const shown: EmbedState[] = [];
    const told: unknown[] = [];
    const page = createContext({
      document: { querySelector: () => iframe },
      window: host,
      crypto: { randomUUID: () => 'request-1' },
      openRecord: (key: unknown) => opened.push(key),
      showState: (state: EmbedState) => shown.push(state),
      alert: (text: unknown) => told.push(text),
    });
    runInContext(example, page);
    runInContext('dial("no number")', page);
    await eventually(() => expect(told).toHaveLength(1));
    runInContext(`dial("${phone}")`, page);
    await eventually(() => expect(opened).toEqual([phone]));
    await eventually(() => expect(shown.at(-1)?.call?.phone).toBe(phone));
  });
});
