import { describe, expect, expectTypeOf, it } from 'vitest';
import { verify, type RawBody, type Webhook, type WebhookOf } from '../../src/webhooks/verify.ts';
import { signedWebhook, webhookOfEachEvent } from '../support/webhooks/signedWebhooks.ts';

const [webhook] = webhookOfEachEvent;
if (webhook === undefined) throw new Error('there are events');
const signed = signedWebhook(webhook);
const { body, headers, secret } = signed;

/** The same request, some headers put in another way. */
function withHeaders(
  changes: Record<string, string | string[] | undefined>,
): Record<string, string | string[] | undefined> {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { ...lower, ...changes };
}
const at = (seconds: number) => ({ now: new Date(signed.at.getTime() + seconds * 1000) });

describe('headers', () => {
  it('are found in any letter case, in a record, in a web Headers, and as lists of one', () => {
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    for (const form of [headers, upper, lists, new Headers(headers), withHeaders({})]) {
      expect(verify(body, form, secret)).toMatchObject({ kind: 'verified', attempt: 2 });
    }
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'are refused without %s, which is named',
    (name) => {
      for (const nothing of [undefined, '', []]) {
        const refused = verify(body, withHeaders({ [name]: nothing }), secret);
        expect(refused).toMatchObject({ kind: 'refused', reason: 'missing_signature' });
        expect(refused).toHaveProperty('detail', expect.stringContaining(`The header ${name} is missing. A proxy`));
      }
    },
  );

  it('that tell of no signature at all are told apart from a proxy that drops some', () => {
    const detail = (given: Record<string, string>) => verify(body, given, secret);
    expect(detail({})).toHaveProperty(
      'detail',
      expect.stringMatching(/no webhook of Readyline's.*has no webhook secret/),
    );
    const old = { 'x-service-signature': String(headers['X-Service-Signature']) };
    expect(detail(old)).toHaveProperty('detail', expect.stringContaining('A proxy'));
  });

  it('may list signatures of other versions, and may have been sent twice', () => {
    const right = String(headers['webhook-signature']);
    for (const signatures of [
      `v2,abc v1a,${right.slice(3)} ${right}`,
      `  ${right}   v1,`,
      `${right}, v1,AAAA`,
      ['v1,AAAA', right],
    ]) {
      expect(verify(body, withHeaders({ 'webhook-signature': signatures }), secret)).toMatchObject({
        kind: 'verified',
      });
    }
    const others = withHeaders({ 'webhook-signature': `v1a,${right.slice(3)} v2,${right.slice(3)}` });
    expect(verify(body, others, secret)).toMatchObject({
      reason: 'wrong_signature',
      detail: expect.stringContaining('version v1'),
    });
  });

  it.each([undefined, '', '0', '-1', '1.5', 'x', '12345678', ['1', '2', '3'].join(', ')])(
    'with %j for the attempt leave its number open, which nobody signed',
    (attempt) => {
      expect(verify(body, withHeaders({ 'x-service-attempt': attempt }), secret)).toMatchObject({
        kind: 'verified',
        attempt: null,
      });
    },
  );
});

describe('the time of sending', () => {
  it.each([0, 299, 300, -300])('may be %d s ago', (seconds) => {
    expect(verify(body, headers, secret, at(seconds))).toMatchObject({ kind: 'verified' });
  });

  it.each([
    [302, '302 s ago'],
    [-302, '302 s in the future'],
    [1e9, '1000000000 s ago'],
  ])('is refused when it is %d s ago, in words', (seconds, words) => {
    const refused = verify(body, headers, secret, at(seconds));
    expect(refused).toMatchObject({
      reason: 'stale_timestamp',
      detail: expect.stringMatching(`${words}.*300 s are allowed`),
    });
  });

  it('is held against the tolerance that the receiver chose', () => {
    expect(verify(body, headers, secret, { ...at(11), toleranceSeconds: 10 })).toMatchObject({
      reason: 'stale_timestamp',
    });
    expect(verify(body, headers, secret, { ...at(1e8), toleranceSeconds: Infinity })).toMatchObject({
      kind: 'verified',
    });
  });

  it('is refused when it is no number of seconds', () => {
    for (const timestamp of ['now', '-1', '1e9', '1.5', '0x10', '9'.repeat(400), '١٢٣', ['1', '2']]) {
      const given = withHeaders({ 'webhook-timestamp': timestamp });
      expect(verify(body, given, secret)).toMatchObject({ kind: 'refused', reason: 'malformed_header' });
    }
  });
});

describe('used wrongly', () => {
  it.each<[string, RawBody]>([
    ['an object', JSON.parse(body) as never],
    ['a list', [1, 2] as never],
    ['a number', 1 as never],
  ])('verify throws for a body that is %s, and says how to get the bytes', (_, parsed) => {
    expect(() => verify(parsed, headers, secret)).toThrow(/parsed before it was verified.*express\.raw/);
    expect(() => verify(parsed, headers, secret)).toThrow(TypeError);
  });

  it('verify throws for an ArrayBuffer, and says what to do with it', () => {
    const buffer = new TextEncoder().encode(body).buffer;
    expect(() => verify(buffer as never, headers, secret)).toThrow('new Uint8Array(body)');
    expect(verify(new Uint8Array(buffer), headers, secret)).toMatchObject({ kind: 'verified' });
  });

  it('verify throws without a secret', () => {
    for (const none of ['', [], [''], undefined, null, [secret, undefined], 42]) {
      expect(() => verify(body, headers, none as never)).toThrow(/^No webhook secret/);
    }
  });

  it('verify throws for what cannot be a secret, without writing it into the message', () => {
    for (const wrong of [
      secret.slice(6),
      'whsec_',
      `${secret}\n`,
      `"${secret}"`,
      ` ${secret}`,
      secret.slice(0, -2),
      'rlk_abc_def',
      'whsec_ä===',
    ]) {
      expect(() => verify(body, headers, wrong)).toThrow(/must be "whsec_" and base64/);
      expect(() => verify(body, headers, [secret, wrong])).toThrow(/^(?!.*whsec_[^"])/);
    }
  });

  it('verify throws without headers, and for times that are none', () => {
    expect(() => verify(body, undefined as never, secret)).toThrow('No headers');
    for (const toleranceSeconds of [-1, Number.NaN]) {
      expect(() => verify(body, headers, secret, { toleranceSeconds })).toThrow('toleranceSeconds');
    }
    expect(() => verify(body, headers, secret, { now: new Date(Number.NaN) })).toThrow('now must be');
  });
});

describe('a Readyline that is newer than the receiver', () => {
  it('may send new events: their name and data are there, untyped', () => {
    const newer = { ...webhook, event: 'call_parked', data: { to: 'a200' }, region: 'eu' };
    const { body: text, headers: given, secret: key } = signedWebhook(JSON.stringify(newer));
    expect(verify(text, given, key)).toMatchObject({
      kind: 'verified',
      webhook: { ...newer, event: 'unknown', event_name: 'call_parked' },
    });
  });

  it('may send new fields, which stay in place', () => {
    const newer = { ...webhook, region: 'eu', data: { ...webhook.data, queue: 'sales' } };
    const { body: text, headers: given, secret: key } = signedWebhook(JSON.stringify(newer));
    expect(verify(text, given, key)).toMatchObject({ kind: 'verified', webhook: newer });
  });

  it('may not send less than an envelope', () => {
    for (const [text, words] of [
      ['', 'no JSON'],
      ['{', 'no JSON'],
      ['[]', 'no JSON object'],
      ['null', 'no JSON object'],
      ['"call_started"', 'no JSON object'],
      ['{"event": 1, "data": []}', 'lacks event, company_id, occurred_at, data'],
      [`${'['.repeat(100_000)}`, 'no JSON'],
    ] as const) {
      const { body: sent, headers: given, secret: key } = signedWebhook(text);
      expect(verify(sent, given, key)).toMatchObject({
        kind: 'refused',
        reason: 'malformed_body',
        detail: expect.stringContaining(words),
      });
    }
  });
});

describe('the types', () => {
  it('are narrowed by a switch over the event', () => {
    const told = (given: Webhook): string | number | null => {
      switch (given.event) {
        case 'disposition':
          expectTypeOf(given).toEqualTypeOf<WebhookOf<'disposition'>>();
          return given.data.end_reason;
        case 'call_answered':
          return given.data.answered_at;
        case 'call_ended':
          return given.data.end_reason;
        case 'call_transferred':
          return given.data.transferred_to;
        case 'call_started':
        case 'cti_click_to_dial':
          return given.data.sequence;
        case 'contact_changed':
          return given.data.contact?.version ?? null;
        case 'deal_moved':
          return given.data.to.name;
        case 'task_due':
          return given.data.task.state;
        case 'report_ready':
          return given.data.rows;
        case 'integration_test':
          return given.data.requested_by.agent_code;
        case 'unknown':
          expectTypeOf(given.data).toEqualTypeOf<Record<string, unknown>>();
          return given.event_name;
      }
    };
    expect(webhookOfEachEvent.map(told)).toEqual([
      3,
      3,
      '2026-11-21T10:16:00.421Z',
      '1001',
      'no_answer',
      'completed',
      2,
      'New',
      'open',
      0,
      'admin',
    ]);
  });
});
