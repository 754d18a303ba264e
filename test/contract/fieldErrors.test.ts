import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAgentRequest, updateAgentRequest } from '../../src/contract/agents.ts';
import { dispositionRequest } from '../../src/contract/calls.ts';
import { updateCompanyRequest } from '../../src/contract/companies.ts';
import { listDeliveriesQuery } from '../../src/contract/deliveries.ts';
import { fieldErrorsOf, says } from '../../src/contract/fieldErrors.ts';
import { maxFreeFormBytes } from '../../src/contract/freeForm.ts';
import { updateIntegrationRequest } from '../../src/contract/integrations.ts';
import { inboundPush } from '../../src/contract/screenPops.ts';
import { updateTelephonyRequest } from '../../src/contract/telephony.ts';

const agent = { agent_code: 'a100', name: 'Ada', password: 'long enough' };

describe('what is wrong with a field', () => {
  it.each<[string, z.ZodType, unknown, object]>([
    [
      'is missing',
      createAgentRequest,
      { ...agent, name: undefined },
      { path: 'name', message: 'is required', code: 'required' },
    ],
    [
      'is of another type',
      createAgentRequest,
      { ...agent, name: 7 },
      { path: 'name', code: 'wrong_type', params: { expected: 'string' } },
    ],
    [
      'is too short',
      createAgentRequest,
      { ...agent, password: 'short' },
      { path: 'password', code: 'too_short', params: { min: 8 } },
    ],
    [
      'is too long',
      updateCompanyRequest,
      { name: 'x'.repeat(201) },
      { path: 'name', code: 'too_long', params: { max: 200 } },
    ],
    [
      'is too small',
      updateIntegrationRequest,
      { webhook_max_in_flight: 0 },
      { path: 'webhook_max_in_flight', code: 'too_small', params: { min: 1 } },
    ],
    [
      'is too large',
      updateCompanyRequest,
      { wrap_up_seconds: 3601 },
      { path: 'wrap_up_seconds', code: 'too_large', params: { max: 3600 } },
    ],
    [
      'has too few entries',
      updateCompanyRequest,
      { dispositions: [] },
      { path: 'dispositions', code: 'too_few', params: { min: 1 } },
    ],
    [
      'has too many entries',
      updateTelephonyRequest,
      { ice_servers: [{ urls: Array.from({ length: 11 }, () => 'stun:a.example') }] },
      { path: 'ice_servers[0].urls', code: 'too_many', params: { max: 10 } },
    ],
    [
      'is none of the choices',
      updateCompanyRequest,
      { language: 'tlh' },
      { path: 'language', code: 'unknown_choice', params: { choices: ['en', 'de', 'es', 'fr'] } },
    ],
    [
      'is not known',
      createAgentRequest,
      { ...agent, agentcode: 'a' },
      { path: 'agentcode', message: 'is not a known field', code: 'unknown_field' },
    ],
    ['is no e-mail address', createAgentRequest, { ...agent, email: 'ada' }, { path: 'email', code: 'not_an_email' }],
    ['is no id', listDeliveriesQuery, { call_id: '17' }, { path: 'call_id', code: 'not_an_id' }],
    [
      'is no time',
      dispositionRequest,
      { code: 'callback', callback_at: 'soon' },
      { path: 'callback_at', code: 'not_a_time' },
    ],
    [
      'is no code',
      updateCompanyRequest,
      { not_ready_reasons: [{ code: 'A B', label: 'A' }] },
      { path: 'not_ready_reasons[0].code', code: 'not_a_code' },
    ],
    [
      'is there twice',
      updateCompanyRequest,
      {
        not_ready_reasons: [
          { code: 'a', label: 'A' },
          { code: 'a', label: 'B' },
        ],
      },
      { path: 'not_ready_reasons', message: 'codes must be unique', code: 'not_unique' },
    ],
    [
      'is no agent code',
      createAgentRequest,
      { ...agent, agent_code: '!' },
      { path: 'agent_code', message: 'must be letters, digits, dot, dash, underscore', code: 'not_an_agent_code' },
    ],
    [
      'needs another field',
      updateAgentRequest,
      { sip_user: null, sip_secret: 's' },
      { path: 'sip_secret', code: 'sip_secret_without_user' },
    ],
    ['is no URL', updateIntegrationRequest, { webhook_url: 'crm' }, { path: 'webhook_url', code: 'not_a_url' }],
    [
      'is no WebSocket address',
      updateTelephonyRequest,
      { sip_wss_url: 'https://pbx.example.com' },
      { path: 'sip_wss_url', code: 'not_a_wss_url' },
    ],
    [
      'is not encrypted',
      updateTelephonyRequest,
      { sip_wss_url: 'ws://pbx.example.com' },
      { path: 'sip_wss_url', code: 'not_wss' },
    ],
    [
      'ends before it begins',
      listDeliveriesQuery,
      { since: '2026-11-22T10:00:00Z', until: '2026-11-21T10:00:00Z' },
      { path: 'until', code: 'ends_before_start' },
    ],
    [
      'is too large a record',
      inboundPush,
      { phone_number: '+15551230001', data: { text: 'x'.repeat(maxFreeFormBytes) } },
      { path: 'data', code: 'json_too_large', params: { bytes: maxFreeFormBytes + 11, max: maxFreeFormBytes } },
    ],
  ])('%s: is told as a code with parameters', (_what, schema, value, expected) => {
    const { error } = schema.safeParse(value);
    expect((error?.issues ?? []).flatMap(fieldErrorsOf)).toEqual([expect.objectContaining(expected)]);
  });

  it('is told of the fields that were given, where there are several sets of them', () => {
    const logIn = z.union([
      z.strictObject({ token: z.string().min(3) }),
      z.strictObject({ name: z.string(), password: z.string() }),
    ]);
    const told = (value: unknown) =>
      (z.object({ logIn }).safeParse({ logIn: value }).error?.issues ?? [])
        .flatMap(fieldErrorsOf)
        .map(({ path, code }) => [path, code]);
    expect(told({ token: 'a' })).toEqual([['logIn.token', 'too_short']]);
    expect(told({ name: 'ada' })).toEqual([['logIn.password', 'required']]);
    expect(told({})).toEqual([['logIn', 'invalid']]);
  });

  it('is never told by one sentence with two codes', () => {
    says('taken', 'must be another one');
    expect(() => says('reserved', 'must be another one')).toThrow('“must be another one” is taken and reserved');
  });

  it('has a code wherever a schema has words of its own', () => {
    const folder = fileURLToPath(new URL('../../src/contract/', import.meta.url));
    const codeless = readdirSync(folder).flatMap((file) =>
      readFileSync(`${folder}${file}`, 'utf8')
        .replaceAll(/\bsays\(\s*'\w+',\s*'[^']+'/g, '')
        .split('\n')
        .filter((line) => /'(?:must|cannot|codes|\w+ or \w+ is) [^']+'/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(codeless).toEqual([]);
  });
});
