import { describe, expect, it } from 'vitest';
import type { CallView } from '../../../../src/contract/calls.ts';
import { refusalOf } from '../../../../web/src/lib/sip/refusals.ts';
import { resultText } from '../../../../web/src/features/calls/callWords.ts';
import { english } from '../../../support/web/english.ts';

/** A call that nobody answered, as the gateway records it. */
function ended(end: Partial<CallView>): CallView {
  const call = {
    state: 'ended',
    direction: 'outbound',
    answered_at: null,
    end_reason: 'failed',
    end_detail: null,
    sip_code: null,
  };
  return { ...call, ...end } as CallView;
}

/** What an agent reads of a call that ended with that answer of the network. */
function shown(code: number, reasons: string[] = []): string {
  const { reason, detail = null } = refusalOf(code, reasons);
  return resultText(english, ended({ end_reason: reason, end_detail: detail, sip_code: code }));
}

describe('a call that was not put through reads', () => {
  it.each<[string, number[]]>([
    ['Number not in service', [404, 410, 604]],
    ['Number incomplete or wrong', [414, 416, 484, 485]],
    ['Busy', [486, 600]],
    ['No answer', [408, 480]],
    ['Declined', [603, 607, 608]],
    ['Canceled', [487]],
    ['Not allowed by the phone network', [401, 403, 407]],
    ['No audio that both sides understand', [415, 488, 606]],
    ['Service unavailable', [500, 501, 502, 503, 504, 505, 513, 580, 599]],
    ['Failed (482)', [482]],
    ['Failed (699)', [699]],
  ])('“%s” after %j', (text, codes) => {
    for (const code of codes) expect(shown(code), String(code)).toBe(text);
  });

  it.each<[string, number, string[]]>([
    ['Number not in service', 500, ['Q.850;cause=1']],
    ['Number not in service', 503, ['Q.850 ;cause=3 ;text="No route, at all"']],
    ['Number not in service', 480, ['SIP;cause=480;text="Q.850;cause=17", q.850;text="hmm; cause=9";cause=22']],
    ['Busy', 503, ['SIP;cause=503', 'Q.850;cause=17;text="Utilisateur occup\u00e9"']],
    ['No answer', 500, ['Q.850;cause=19']],
    ['Not reachable', 480, ['Q.850;cause=20']],
    ['Declined', 480, ['Q.850;cause=21']],
    ['Number incomplete or wrong', 404, ['Q.850;cause=28']],
    ['Service unavailable', 404, ['Q.850;cause=38']],
    ['Not allowed by the phone network', 500, ['Q.850;cause=57']],
    // Nothing special: the code says more.
    ['Number not in service', 404, ['Q.850;cause=16', 'Q.850;cause=31', 'Q.850;cause=127']],
    // A proxy's 500 for what was something else.
    ['Number not in service', 500, ['SIP;cause=404;text="Not Found"']],
    ['Number not in service', 404, ['SIP;cause=503']],
    ['Service unavailable', 500, ['SIP;cause=200;text="Call completed elsewhere"']],
    // Not even near to what the standard says.
    ['Service unavailable', 503, ['', ';;;', 'Q.850', 'Q.850;cause', 'Q.850;cause=x', '"', 'cause=1']],
  ])('“%s” after %i with %j', (text, code, reasons) => {
    expect(shown(code, reasons)).toBe(text);
  });

  it('the same where a softphone tells no more than a code, and what the gateway says where it ended the call', () => {
    expect(resultText(english, ended({ sip_code: 404 }))).toBe('Number not in service');
    expect(resultText(english, ended({ end_reason: 'rejected', sip_code: 403 }))).toBe(
      'Not allowed by the phone network',
    );
    expect(resultText(english, ended({ end_reason: 'busy', sip_code: 503 }))).toBe('Busy');
    const canceled = { direction: 'inbound', end_reason: 'canceled' } as const;
    expect(resultText(english, ended({ ...canceled, ended_by: 'customer' }))).toBe('Caller hung up');
    expect(resultText(english, ended({ ...canceled, ended_by: null }))).toBe('Canceled');
    expect(resultText(english, ended({ end_detail: 'softphone_lost' }))).toBe('Failed: the softphone was gone');
    expect(resultText(english, ended({ end_detail: 'softphone_lost', answered_at: '2026-11-02T08:12:09.330Z' }))).toBe(
      'Cut off: the softphone was gone',
    );
    expect(resultText(english, ended({ answered_at: '2026-01-01T00:00:00Z', sip_code: 200 }))).toBe('Cut off (200)');
  });
});
