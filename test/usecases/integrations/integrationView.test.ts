import { describe, expect, it } from 'vitest';
import { healthyEndpoint, type EndpointHealth } from '../../../src/domain/endpointHealth.ts';
import type { Integration } from '../../../src/ports/integrations.ts';
import { webhookNotices, webhookStatus } from '../../../src/usecases/integrations/integrationView.ts';

const hour = 3_600_000;
const now = Date.parse('2026-11-21T09:00:00.000Z');
const at = (ms: number) => new Date(now + ms);

/** A company whose webhooks are signed and arrive, but for what is given. */
function integration(health: Partial<EndpointHealth> = {}, more: Partial<Integration> = {}): Integration {
  return {
    ...{ crmProvider: null, ctiConnector: null, mode: 'push', defaultCountry: null },
    bareDigits: 'national',
    ...{ apiKeyPrefix: null, apiKeyIssuedAt: null, connectedAt: null, createdAt: at(0), updatedAt: at(0) },
    webhookUrl: 'https://crm.example.com/hook',
    webhookSecretEncrypted: 'cipher text',
    webhookSecretPrevious: null,
    webhookMaxInFlight: 4,
    webhookEvents: null,
    popFrameAncestors: [],
    webhookHealth: { ...healthyEndpoint, ...health },
    ...more,
  };
}

const codes = (of: Integration) => webhookNotices(of, now).map(({ code }) => code);

describe('the notices of a webhook endpoint', () => {
  it('are none while all is well, or no URL is set', () => {
    expect(codes(integration())).toEqual([]);
    const unset = integration({}, { webhookUrl: null, webhookSecretEncrypted: null, webhookHealth: null });
    expect([webhookNotices(unset, now), webhookStatus(unset, now)]).toEqual([[], null]);
  });

  it.each([
    [1, []],
    [2, []],
    [3, ['webhook_failing']],
    [9, ['webhook_failing']],
  ])('after %i failures in a row are %j', (consecutiveFailures, expected) => {
    const notices = webhookNotices(integration({ consecutiveFailures, failingSince: at(-hour) }), now);
    expect(notices.map(({ code }) => code)).toEqual(expected);
    for (const { params } of notices) expect(params).toEqual({ failures: consecutiveFailures });
  });

  it('tell of a pause until it is over, and then that it fails still', () => {
    const health = { consecutiveFailures: 10, failingSince: at(-hour), pausedUntil: at(1) };
    expect(webhookNotices(integration(health), now)).toEqual([
      expect.objectContaining({ code: 'webhook_paused', params: { failures: 10, until: at(1).toISOString() } }),
    ]);
    expect(webhookStatus(integration(health), now)).toMatchObject({
      condition: 'paused',
      paused_until: at(1).toISOString(),
    });
    const probed = { ...health, pausedUntil: at(0) };
    expect(codes(integration(probed))).toEqual(['webhook_failing']);
    expect(webhookStatus(integration(probed), now)).toMatchObject({ condition: 'failing', paused_until: null });
  });

  it.each([
    ['gone', null, -2 * hour, /answered 410/],
    ['failing', at(-120 * hour), -121 * hour, /no webhook had arrived there for five days/],
    ['admin', null, -2 * hour, /An admin disabled/],
  ] as const)(
    'tell why it was disabled (%s), and since when to recover: from before the trouble',
    (reason, failingSince, recoverFrom, words) => {
      const disabled = { at: at(-hour), reason };
      const consecutiveFailures = failingSince === null ? 0 : 500;
      const [notice, ...others] = webhookNotices(
        integration({ disabled, failingSince, consecutiveFailures, pausedUntil: at(hour) }),
        now,
      );
      expect(others).toEqual([]);
      expect(notice).toMatchObject({
        code: 'webhook_disabled',
        since: at(-hour).toISOString(),
        detail: expect.stringMatching(words),
      });
      expect(notice?.params).toEqual({ reason, recover_since: at(recoverFrom).toISOString() });
      expect(notice?.detail).toContain(`recover the deliveries since ${at(recoverFrom).toISOString()}`);
    },
  );

  it('tell of an overlap as long as it lasts, since the rotation', () => {
    const rotated = (until: Date) =>
      integration({}, { webhookSecretPrevious: { encrypted: 'old cipher text', until } });
    expect(webhookNotices(rotated(at(1)), now)).toEqual([
      {
        code: 'webhook_secret_overlap',
        since: at(1 - 24 * hour).toISOString(),
        detail: expect.stringContaining(`Until ${at(1).toISOString()}`),
        params: { until: at(1).toISOString() },
      },
    ]);
    expect(codes(rotated(at(0)))).toEqual([]);
  });

  it('come the most urgent first', () => {
    const worst = integration(
      { disabled: { at: at(0), reason: 'admin' } },
      { webhookSecretEncrypted: null, webhookSecretPrevious: { encrypted: 'old cipher text', until: at(hour) } },
    );
    expect(codes(worst)).toEqual(['webhook_disabled', 'webhook_secret_overlap', 'webhook_unsigned']);
  });
});
