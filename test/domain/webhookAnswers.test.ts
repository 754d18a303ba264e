import { describe, expect, it } from 'vitest';
import { webhookCauses } from '../../src/contract/causes.ts';
import { causeOfStatus, explainStatus } from '../../src/domain/webhookAnswers.ts';

describe('what a receiver answered, in words', () => {
  it.each([
    [301, /redirects are not followed; set webhook_url to the final URL/],
    [308, /redirects are not followed/],
    [401, /X-Service-Signature or webhook-signature/],
    [403, /firewall.*X-Service-Signature or webhook-signature/],
    [404, /check the path of webhook_url/],
    [405, /does not take POST/],
    [408, /gave up waiting/],
    [410, /disabled/],
    [413, /too large/],
    [415, /application\/json/],
    [429, /Retry-After/],
    [500, /its own log/],
    [503, /Retry-After/],
    [504, /answer 2xx/],
  ])('tells for %i what to do', (status, words) => {
    expect(explainStatus(status)).toMatch(words);
  });

  it('has words for every status that is no success, and names it', () => {
    for (let status = 100; status <= 999; status += 1) {
      if (status >= 200 && status < 300) continue;
      expect(explainStatus(status)).toMatch(
        new RegExp(`^The endpoint answered ${String(status)}: .+\\. Only 2xx counts as received\\.$`),
      );
    }
  });

  it('says the same as a code that is known', () => {
    for (let status = 100; status <= 999; status += 1) expect(webhookCauses).toHaveProperty(causeOfStatus(status).code);
    const codes = [404, 418, 302, 599, 799].map((status) => causeOfStatus(status).code);
    expect(codes).toEqual(['answered_404', 'answered_4xx', 'answered_3xx', 'answered_5xx', 'answered_otherwise']);
  });

  it('keeps the words of a class for a status that has none of its own', () => {
    expect(explainStatus(418)).toContain('the receiver refused the request');
    expect(explainStatus(599)).toContain('the receiver, or a proxy before it, failed');
    expect(explainStatus(799)).toContain('no status of HTTP');
  });
});
