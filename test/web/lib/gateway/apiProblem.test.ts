// @vitest-environment happy-dom
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Translate } from '../../../../web/src/lib/i18n/catalog.ts';
import { chooseOwnLanguage } from '../../../../web/src/lib/i18n/texts.ts';
import { ApiProblem, messageOf } from '../../../../web/src/lib/gateway/apiProblem.ts';
import { causeText } from '../../../../web/src/lib/gateway/causeText.ts';
import { SoftphoneRefusal } from '../../../../src/client/refusal.ts';
import { dispositionLabel } from '../../../../web/src/shared/dispositionLabel.ts';
import '../../../support/components/page.tsx';

const t: Translate = i18next.t;

describe('what the gateway says, to a German reader', () => {
  beforeEach(() => chooseOwnLanguage('de'));
  afterEach(() => chooseOwnLanguage(null));

  it('is told by its cause and what that is about, over HTTP and the socket', () => {
    const cause = { code: 'agent_state', params: { state: 'wrap_up' } };
    const told = 'Das geht gerade nicht: Der Agent ist in der Nachbearbeitung.';
    const detail = 'An agent who is wrap_up cannot go ready.';
    expect(messageOf(t, new ApiProblem(409, { code: 'conflict', detail, cause }))).toBe(told);
    expect(messageOf(t, new SoftphoneRefusal({ code: 'conflict', detail, cause }))).toBe(told);
  });

  it('names the field that does not fit, where no field of a form does', () => {
    const errors = [{ path: 'wrap_up_seconds', message: 'is too big', code: 'too_large', params: { max: 3600 } }];
    const cause = { code: 'invalid_fields' };
    expect(
      messageOf(t, new ApiProblem(400, { code: 'invalid_request', detail: 'The body does not fit.', cause, errors })),
    ).toBe('wrap_up_seconds: 3.600 oder weniger.');
  });

  it('is told by the code of the refusal where that says enough', () => {
    const errors = [{ path: 'company_slug', message: 'is needed', code: 'required' }];
    expect(messageOf(t, new ApiProblem(401, { code: 'invalid_credentials', detail: 'No.', errors }))).toBe(
      'Kein Konto hat diesen Namen und dieses Passwort.',
    );
  });

  it('of a webhook is told with its host, port and error', () => {
    const cause = { code: 'connect_refused', params: { host: 'crm.example.com', port: 443 } };
    expect(causeText(t, cause, 'x')).toBe('crm.example.com Port 443 wies die Verbindung ab: Dort lauscht nichts.');
  });

  it('stays in English where the page has no words for it, braces and all', () => {
    expect(causeText(t, { code: 'brand_new', params: { moon: 'full' } }, 'The moon is {full}.')).toBe(
      'The moon is {full}.',
    );
    expect(causeText(t, null, 'Told by an older gateway.')).toBe('Told by an older gateway.');
  });

  it('of a standard disposition is in German until the company words it itself', () => {
    expect(dispositionLabel(t, { code: 'callback', label: 'Call back' })).toBe('Rückruf');
    expect(dispositionLabel(t, { code: 'callback', label: 'Ring them' })).toBe('Ring them');
    expect(dispositionLabel(t, { code: 'quote', label: 'Call back' })).toBe('Call back');
  });
});
