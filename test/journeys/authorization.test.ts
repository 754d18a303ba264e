import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { routes } from '../../src/http/routes.ts';
import { platformToken } from '../support/gateway/gateway.ts';
import {
  bearer,
  keyed,
  knownPhone,
  startPopulatedGateway,
  type PopulatedGateway,
} from '../support/gateway/populatedGateway.ts';
import { expectProblem } from '../support/http/problems.ts';
import { routeRequests, send, type RouteName } from '../support/http/routeRequests.ts';

/** A status, and for refusals the code. */
type Answer = readonly [status: number, code?: ErrorCode];

/** Who gets which answer to a request that fits. What a rule leaves out is refused for the credentials alone. */
type Rule =
  | { for: 'everyone'; answer: Answer }
  | { for: 'the operator'; answer: Answer }
  | {
      for: 'companies';
      /** The company key; null: the route takes tokens only. */
      key: Answer | null;
      admin: Answer;
      supervisor: Answer;
      agent: Answer;
      dialer: Answer;
      /** Another company, by its admin and (where keys are taken) by its key, asking for things of ours. */
      stranger: Answer;
    };

const roleRequired: Answer = [403, 'role_required'];
const wrongCompany: Answer = [403, 'wrong_company'];

const keyOrToken = (answer: Answer, stranger: Answer = answer): Rule => ({
  ...{ for: 'companies', key: answer, admin: answer, supervisor: answer, agent: answer, dialer: answer, stranger },
});
const anyToken = (answer: Answer, stranger: Answer = answer): Rule => ({
  ...{ for: 'companies', key: null, admin: answer, supervisor: answer, agent: answer, dialer: answer, stranger },
});
const softphoneToken = (answer: Answer, stranger: Answer = answer): Rule => ({
  ...{ for: 'companies', key: null, admin: answer, supervisor: answer, agent: answer, dialer: roleRequired, stranger },
});
const supervisorToken = (answer: Answer, stranger: Answer = answer): Rule => ({
  ...{ for: 'companies', key: null, admin: answer, supervisor: answer, stranger },
  ...{ agent: roleRequired, dialer: roleRequired },
});
const keyOrSupervisor = (answer: Answer, stranger: Answer = answer): Rule => ({
  ...{ for: 'companies', key: answer, admin: answer, supervisor: answer, stranger },
  ...{ agent: roleRequired, dialer: roleRequired },
});
const keyOrAdmin = (answer: Answer, stranger: Answer = answer): Rule => ({
  ...{ for: 'companies', key: answer, admin: answer, stranger },
  ...{ supervisor: roleRequired, agent: roleRequired, dialer: roleRequired },
});
const adminToken = (answer: Answer, stranger: Answer = answer): Rule => ({
  ...{ for: 'companies', key: null, admin: answer, stranger },
  ...{ supervisor: roleRequired, agent: roleRequired, dialer: roleRequired },
});
const everyone = (answer: Answer): Rule => ({ for: 'everyone', answer });
const operator = (answer: Answer): Rule => ({ for: 'the operator', answer });

/** Who may do what, written down apart: nothing here is read from the route table. */
const rules: Record<RouteName, Rule> = {
  // What the interface names, row by row.
  'POST /api/integrations/inbound': keyOrToken([200]),
  'GET /api/integrations/lookup': keyOrToken([200], [404, 'unknown_phone']),
  'GET /api/integrations/cti/screen-pop': keyOrToken([200], [404, 'unknown_phone']),
  // The named agent is Not Ready. Codes are looked up in the caller's company.
  'POST /api/integrations/cti/click-to-dial': keyOrToken([503, 'agent_not_ready'], [404, 'unknown_agent']),
  'POST /api/integrations/connect': adminToken([200]),
  'GET /api/integrations': anyToken([200]),
  // PUT needs admin.
  'PUT /api/integrations': adminToken([200]),
  'POST /api/integrations/test-webhook': adminToken([200]),
  'POST /api/auth/login': everyone([200]),
  // Beside the interface.
  'POST /api/integrations/inbound/bulk': keyOrToken([200]),
  'DELETE /api/integrations/inbound': keyOrToken([204], [404, 'unknown_phone']),
  // The company's key where a CRM would call.
  'GET /api/crm/contacts': keyOrToken([200]),
  'POST /api/crm/contacts': keyOrToken([201]),
  'GET /api/crm/search': keyOrToken([200]),
  'GET /api/colleagues': anyToken([200]),
  'GET /api/crm/contacts/{id}': keyOrToken([200], [404, 'not_found']),
  'POST /api/crm/contacts/{id}/merge': supervisorToken([200], [404, 'not_found']),
  'GET /api/crm/audit': adminToken([200]),
  'GET /api/crm/duplicates': supervisorToken([200]),
  'DELETE /api/crm/duplicates/{id}': supervisorToken([204], [404, 'not_found']),
  'POST /api/crm/contacts/{id}/erase': adminToken([200], [404, 'not_found']),
  'PATCH /api/crm/contacts/{id}': keyOrToken([200], [404, 'not_found']),
  'GET /api/crm/contacts/{id}/summary': anyToken([200], [404, 'not_found']),
  'GET /api/me/may-dial': anyToken([200]),
  'GET /api/me/speed-dials': anyToken([200]),
  'PUT /api/me/speed-dials': anyToken([200]),
  'GET /api/me/missed-calls': anyToken([200]),
  'PUT /api/me/missed-calls': anyToken([200]),
  // A CRM keeps the list in step by the company's key.
  'GET /api/do-not-dial': keyOrAdmin([200]),
  'POST /api/do-not-dial': keyOrAdmin([201]),
  'DELETE /api/do-not-dial/{id}': keyOrAdmin([204], [404, 'not_found']),
  'POST /api/do-not-dial/import': adminToken([200]),
  'GET /api/do-not-dial.csv': adminToken([200]),
  'GET /api/teams': keyOrToken([200]),
  'POST /api/teams': adminToken([201]),
  'GET /api/teams/{id}': anyToken([200], [404, 'not_found']),
  'PATCH /api/teams/{id}': adminToken([200], [404, 'not_found']),
  'DELETE /api/teams/{id}': adminToken([204], [404, 'not_found']),
  'GET /api/crm/pipelines': anyToken([200]),
  'POST /api/crm/pipelines': adminToken([201]),
  'GET /api/crm/pipelines/{id}': anyToken([200], [404, 'not_found']),
  'PATCH /api/crm/pipelines/{id}': adminToken([200], [404, 'not_found']),
  'DELETE /api/crm/pipelines/{id}': adminToken([204], [404, 'not_found']),
  'GET /api/crm/pipelines/{id}/board': anyToken([200], [404, 'not_found']),
  'GET /api/crm/deals': anyToken([200]),
  'POST /api/crm/deals': anyToken([201], [400, 'invalid_request']),
  'GET /api/crm/deals/{id}': anyToken([200], [404, 'not_found']),
  'PATCH /api/crm/deals/{id}': anyToken([200], [404, 'not_found']),
  'GET /api/crm/deals/{id}/moves': anyToken([200], [404, 'not_found']),
  'GET /api/crm/tasks': anyToken([200]),
  'POST /api/crm/tasks': anyToken([201]),
  'GET /api/crm/tasks/{id}': anyToken([200], [404, 'not_found']),
  'PATCH /api/crm/tasks/{id}': anyToken([200], [404, 'not_found']),
  'POST /api/crm/tasks/{id}/take': anyToken([200], [404, 'not_found']),
  'POST /api/crm/tasks/{id}/skip': anyToken([200], [404, 'not_found']),
  'GET /api/crm/activities': anyToken([200], [404, 'not_found']),
  'POST /api/crm/activities': anyToken([201], [404, 'not_found']),
  'GET /api/crm/organisations': anyToken([200]),
  'POST /api/crm/organisations': anyToken([201]),
  'GET /api/crm/organisations/{id}': anyToken([200], [404, 'not_found']),
  'PATCH /api/crm/organisations/{id}': anyToken([200], [404, 'not_found']),
  'POST /api/crm/imports': adminToken([201]),
  'GET /api/crm/imports': adminToken([200]),
  'POST /api/crm/imports/from-cache': adminToken([202]),
  'GET /api/crm/exports/contacts.csv': adminToken([200]),
  'GET /api/me/today': anyToken([200]),
  'GET /api/reports/calls': keyOrSupervisor([200]),
  'GET /api/reports/trends': keyOrSupervisor([200]),
  'GET /api/messages': supervisorToken([200]),
  // The strangers have nobody else who would read it.
  'POST /api/messages': supervisorToken([201], [409, 'conflict']),
  'DELETE /api/messages/{id}': supervisorToken([204], [404, 'not_found']),
  'GET /api/messages/{id}/readers': supervisorToken([200], [404, 'not_found']),
  'GET /api/reports/calls.csv': supervisorToken([200]),
  // The link is the credential.
  'GET /api/reports/files/{token}': everyone([401, 'invalid_token']),
  'GET /api/reports/views': supervisorToken([200]),
  'POST /api/reports/views': supervisorToken([201]),
  // It is the admin's.
  'PATCH /api/reports/views/{id}': adminToken([200], [404, 'not_found']),
  'DELETE /api/reports/views/{id}': adminToken([204], [404, 'not_found']),
  'PUT /api/reports/views/{id}/schedule': adminToken([200], [404, 'not_found']),
  'DELETE /api/reports/views/{id}/schedule': adminToken([204], [404, 'not_found']),
  // The webhook does not get reports.
  'POST /api/reports/views/{id}/runs': adminToken([409, 'conflict'], [404, 'not_found']),
  'GET /api/crm/exports/calls.csv': supervisorToken([200]),
  'GET /api/crm/exports/deals.csv': adminToken([200]),
  'GET /api/crm/imports/{id}': adminToken([200], [404, 'not_found']),
  'PATCH /api/crm/imports/{id}': adminToken([200], [404, 'not_found']),
  'DELETE /api/crm/imports/{id}': adminToken([204], [404, 'not_found']),
  'GET /api/crm/imports/{id}/preview': adminToken([200], [404, 'not_found']),
  'POST /api/crm/imports/{id}/runs': adminToken([202], [404, 'not_found']),
  'POST /api/crm/imports/{id}/cancel': adminToken([200], [404, 'not_found']),
  'POST /api/crm/imports/{id}/undo': adminToken([202], [404, 'not_found']),
  'GET /api/crm/imports/{id}/rows': adminToken([200], [404, 'not_found']),
  'GET /api/crm/imports/{id}/refused.csv': adminToken([200], [404, 'not_found']),
  'GET /api/crm/imports/{id}/remarks.csv': adminToken([200], [404, 'not_found']),
  'GET /api/crm/fields': anyToken([200]),
  'POST /api/crm/fields': adminToken([201]),
  'PATCH /api/crm/fields/{key}': adminToken([200], [404, 'not_found']),
  'DELETE /api/crm/fields/{key}': adminToken([204], [404, 'not_found']),
  'GET /api/integrations/crm': adminToken([200]),
  'PUT /api/integrations/crm': adminToken([200]),
  'POST /api/integrations/check': adminToken([409, 'conflict']),
  'POST /api/integrations/crm/preview': adminToken([409, 'conflict']),
  // The address is the credential.
  'POST /api/integrations/inbound/{provider}/{token}': everyone([200]),
  'GET /api/integrations/inbound/{provider}/{token}': everyone([200]),
  'POST /api/integrations/cti/events/{connector}/{token}': everyone([200]),
  'POST /api/integrations/cti/pop-links': keyOrToken([201]),
  // The link, and the token that it is taken for, are the credentials.
  'POST /api/integrations/cti/pop-sessions': everyone([401, 'invalid_token']),
  'GET /api/integrations/cti/pop-sessions': everyone([401, 'unauthenticated']),
  'GET /api/integrations/cti/pop': anyToken([200]),
  'GET /api/integrations/pop-layout': adminToken([200]),
  'PUT /api/integrations/pop-layout': adminToken([200]),
  'GET /api/integrations/cti/connectors': adminToken([200]),
  'GET /api/integrations/cti/connectors/{connector}': adminToken([200]),
  'GET /api/integrations/cti/connectors/{connector}/files/{file_name}': adminToken([200]),
  'GET /api/integrations/cti/connections': adminToken([200]),
  'POST /api/integrations/cti/connections': adminToken([201]),
  'PATCH /api/integrations/cti/connections/{connector}': adminToken([204], [404, 'not_found']),
  'POST /api/integrations/cti/connections/{connector}/account/check': adminToken([409, 'conflict'], [404, 'not_found']),
  'DELETE /api/integrations/cti/connections/{connector}': adminToken([204], [404, 'not_found']),
  'GET /api/integrations/cti/connections/{connector}/agents': adminToken([200], [404, 'not_found']),
  'PUT /api/integrations/cti/connections/{connector}/agents/{platform_id}': adminToken([200], [404, 'not_found']),
  'PUT /api/integrations/cti/connections/{connector}/agents/{platform_id}/account': adminToken(
    [200],
    [404, 'not_found'],
  ),
  'GET /api/integrations/crm/authorize/{provider}': adminToken([200], [409, 'conflict']),
  // The browser's cookie and the state are the proof.
  'GET /api/integrations/crm/authorize/{provider}/callback': everyone([302]),
  'POST /api/integrations/crm/inbound': adminToken([201]),
  'PUT /api/integrations/crm/inbound/{provider}': adminToken([204], [404, 'not_found']),
  // The strangers have made one for themselves, above.
  'DELETE /api/integrations/crm/inbound/{provider}': adminToken([204]),
  'GET /api/integrations/webhook-deliveries': adminToken([200]),
  // The strangers have no webhook endpoint.
  'POST /api/integrations/webhook-deliveries/recover': adminToken([200], [409, 'conflict']),
  'GET /api/integrations/webhook-deliveries/{id}': adminToken([200], wrongCompany),
  'POST /api/integrations/webhook-deliveries/{id}/redeliver': adminToken([200], wrongCompany),
  'GET /api/calls': keyOrToken([200]),
  'PATCH /api/calls': keyOrSupervisor([200], [404, 'not_found']),
  'GET /api/calls/{id}': anyToken([200], wrongCompany),
  // The agent's call has just ended.
  'GET /api/calls/{id}/previous': anyToken([200], wrongCompany),
  'PATCH /api/calls/{id}': keyOrSupervisor([200], wrongCompany),
  'PUT /api/calls/{id}/notes': softphoneToken([204], wrongCompany),
  'GET /api/calls/{id}/conversation': anyToken([200], wrongCompany),
  'GET /api/calls/{id}/steps': anyToken([200], wrongCompany),
  'GET /api/calls/{id}/deliveries': supervisorToken([200], wrongCompany),
  'GET /api/calls/{id}/corrections': supervisorToken([200], wrongCompany),
  'POST /api/calls/{id}/disposition': softphoneToken([200], wrongCompany),
  // The call of one agent's softphone is nobody else's to leave.
  'POST /api/calls/{id}/left': {
    for: 'companies',
    key: null,
    admin: [404, 'not_found'],
    supervisor: [404, 'not_found'],
    agent: [204],
    dialer: roleRequired,
    stranger: wrongCompany,
  },
  'POST /api/calls/{id}/record': softphoneToken([200], wrongCompany),
  'GET /api/me': anyToken([200]),
  // Theirs is another password.
  'PUT /api/me/password': anyToken([401, 'invalid_credentials']),
  'POST /api/agents': adminToken([201]),
  'GET /api/agents': supervisorToken([200]),
  'GET /api/agents/{id}': supervisorToken([200], wrongCompany),
  'PATCH /api/agents/{id}': adminToken([200], wrongCompany),
  // Of the calling agent itself, which the dialer is not.
  'GET /api/agents/{id}/state': {
    ...{ for: 'companies', key: null, admin: [200], supervisor: [200], agent: [200] },
    ...{ dialer: roleRequired, stranger: wrongCompany },
  },
  'GET /api/agents/{id}/timeline': supervisorToken([200], wrongCompany),
  'PUT /api/agents/{id}/state': supervisorToken([200], wrongCompany),
  'GET /api/telephony': adminToken([200]),
  'PUT /api/telephony': adminToken([200]),
  'GET /api/company': anyToken([200]),
  'PATCH /api/company': adminToken([200]),
  'POST /api/companies': operator([201]),
  'GET /api/companies': operator([200]),
  'GET /api/health': everyone([200]),
  'GET /api/health/live': everyone([200]),
  'GET /api/public/platform': everyone([200]),
};

/** Credentials that are good for nothing any more, or never were. Made in `beforeAll`. */
type Worthless = {
  rotatedKey: string;
  otherSecret: string;
  otherAlgorithm: string;
  unsigned: string;
  otherIssuer: string;
  expired: string;
  deactivated: string;
  beforePasswordChange: string;
};
type World = PopulatedGateway & { worthless: Worthless };

type Caller = {
  who: string;
  headers: (world: World) => Record<string, string>;
  /** What the caller gets where a company's credentials are needed. */
  company: (rule: Extract<Rule, { for: 'companies' }>) => Answer;
  /** What the caller gets where the platform token is needed. */
  platform: Answer | 'admitted';
};

const missing: Answer = [401, 'unauthenticated'];
const badToken: Answer = [401, 'invalid_token'];
const keyless = (rule: { key: Answer | null }, answer: Answer): Answer => (rule.key === null ? missing : answer);
const badKey: Pick<Caller, 'company' | 'platform'> = {
  company: (rule) => keyless(rule, [401, 'invalid_api_key']),
  platform: missing,
};
const withBadToken = (who: string, token: (world: World) => string): Caller => ({
  who,
  headers: (world) => bearer(token(world)),
  company: () => badToken,
  platform: badToken,
});

const callers: Caller[] = [
  { who: 'nobody in particular', headers: () => ({}), company: () => missing, platform: missing },
  {
    who: 'somebody with a password in the header',
    headers: () => ({ authorization: 'Basic YWRtaW46YWRtaW4=' }),
    // Where a key will do, it may be the password.
    company: (rule) => (rule.key === null ? missing : [401, 'invalid_api_key']),
    platform: missing,
  },
  { who: 'a key that never was', headers: () => keyed(`rlk_00000000_${'0'.repeat(32)}`), ...badKey },
  { who: 'the key from before the rotation', headers: ({ worthless }) => keyed(worthless.rotatedKey), ...badKey },
  {
    who: 'the company key',
    headers: ({ ours }) => keyed(ours.key),
    company: (rule) => keyless(rule, rule.key ?? missing),
    platform: missing,
  },
  {
    who: 'the key of another company',
    headers: ({ strangers }) => keyed(strangers.key),
    company: (rule) => keyless(rule, rule.stranger),
    platform: missing,
  },
  withBadToken('a token that is none', () => 'not.a.token'),
  withBadToken('a token signed with another secret', ({ worthless }) => worthless.otherSecret),
  withBadToken('a token signed by another algorithm', ({ worthless }) => worthless.otherAlgorithm),
  withBadToken('a token that says it needs no signature', ({ worthless }) => worthless.unsigned),
  withBadToken('a token of another issuer under the same secret', ({ worthless }) => worthless.otherIssuer),
  {
    ...withBadToken('a token that has expired', ({ worthless }) => worthless.expired),
    company: () => [401, 'token_expired'],
  },
  withBadToken('the token of an agent who was deactivated', ({ worthless }) => worthless.deactivated),
  withBadToken('a token from before the password was changed', ({ worthless }) => worthless.beforePasswordChange),
  {
    ...withBadToken('a good key beside a bad token', () => 'not.a.token'),
    headers: ({ ours }) => ({ ...keyed(ours.key), ...bearer('not.a.token') }),
  },
  {
    who: 'an admin',
    headers: ({ ours }) => bearer(ours.adminToken),
    company: ({ admin }) => admin,
    platform: badToken,
  },
  {
    who: 'a supervisor',
    headers: ({ supervisor }) => bearer(supervisor.token),
    company: ({ supervisor }) => supervisor,
    platform: badToken,
  },
  { who: 'an agent', headers: ({ agent }) => bearer(agent.token), company: ({ agent }) => agent, platform: badToken },
  {
    who: 'a dialer',
    headers: ({ dialer }) => bearer(dialer.token),
    company: ({ dialer }) => dialer,
    platform: badToken,
  },
  {
    who: 'an agent with the company key',
    headers: ({ agent, ours }) => ({ ...bearer(agent.token), ...keyed(ours.key) }),
    // The key lifts no role.
    company: ({ agent }) => agent,
    platform: badToken,
  },
  {
    who: 'an admin of another company',
    headers: ({ strangers }) => bearer(strangers.adminToken),
    company: ({ stranger }) => stranger,
    platform: badToken,
  },
  {
    who: 'an admin with the key of another company',
    headers: ({ ours, strangers }) => ({ ...bearer(ours.adminToken), ...keyed(strangers.key) }),
    company: () => wrongCompany,
    platform: badToken,
  },
  {
    who: 'an admin of another company with our key',
    headers: ({ ours, strangers }) => ({ ...bearer(strangers.adminToken), ...keyed(ours.key) }),
    company: () => wrongCompany,
    platform: badToken,
  },
  { who: 'the operator', headers: () => bearer(platformToken), company: () => badToken, platform: 'admitted' },
];

function expectedFor(rule: Rule, caller: Caller): Answer {
  switch (rule.for) {
    case 'everyone':
      return rule.answer;
    case 'the operator':
      return caller.platform === 'admitted' ? rule.answer : caller.platform;
    case 'companies':
      return caller.company(rule);
  }
}

const ruled = Object.entries(rules) as [RouteName, Rule][];

describe('authorization', () => {
  let world: World;

  beforeAll(async () => {
    const populated = await startPopulatedGateway();
    world = { ...populated, worthless: await spoil(populated) };
  });
  afterAll(() => world.close());

  it('is laid down here for every route there is, and for no other', () => {
    const existing = routes.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(Object.keys(rules).sort()).toEqual(existing.sort());
    expect(Object.keys(routeRequests).sort()).toEqual(existing.sort());
  });

  describe.each(ruled)('of %s', (name, rule) => {
    it.each(callers.map((caller) => ({ ...caller, expected: expectedFor(rule, caller) })))(
      'answers $who with $expected',
      async (caller) => {
        const request = await routeRequests[name]?.(world);
        if (request === undefined) throw new Error('every route has its request');
        const answer = await send(world.gateway.url, name, request, caller.headers(world));
        const [status, code] = caller.expected;
        if (code !== undefined) expectProblem(answer, status, code);
        else expect([answer.status, answer.type === 'application/problem+json']).toEqual([status, false]);
        if (caller.who.endsWith('another company')) expectNothingOfOurs(world, rule, answer.text);
      },
    );
  });

  describe.each(ruled.filter(([name]) => name.includes('{id}')))('by id: %s', (name) => {
    it('refuses an id of another company and changes nothing of it', async () => {
      const request = await routeRequests[name]?.(world);
      const before = await stateOfOurs(world);
      const answer = await send(world.gateway.url, name, request ?? { path: '' }, bearer(world.strangers.adminToken));
      // What the built-in CRM holds, a message, the do-not-dial list and a view of reports may not be shown to a
      // colleague either: nobody learns that it exists.
      if (/ \/api\/(crm|do-not-dial|messages|teams|reports)\//.test(name)) expectProblem(answer, 404, 'not_found');
      else expectProblem(answer, 403, 'wrong_company');
      expect(await stateOfOurs(world)).toEqual(before);
    });

    it('knows no id that nobody has, and takes no id that is no UUID', async () => {
      const request = await routeRequests[name]?.(world);
      const ask = (id: string) => {
        const path = name.slice(name.indexOf('/')).replace('{id}', id);
        return send(world.gateway.url, name, { ...request, path }, bearer(world.ours.adminToken));
      };
      const nobodys = '00000000-0000-4000-8000-000000000000';
      expectProblem(await ask(nobodys), 404, name.includes('/agents/') ? 'unknown_agent' : 'not_found');
      expect(expectProblem(await ask('17'), 400, 'invalid_request').errors).toMatchObject([{ path: 'id' }]);
    });
  });

  it('refuses a click that names an agent of another company by id, whoever of that company clicks', async () => {
    const { gateway, strangers, agent } = world;
    const name = 'POST /api/integrations/cti/click-to-dial';
    const request = {
      path: '/api/integrations/cti/click-to-dial',
      body: { phone_number: knownPhone, agent_id: agent.id },
    };
    const insider = await gateway.agent(strangers, 'a900');
    for (const headers of [keyed(strangers.key), bearer(strangers.adminToken), bearer(insider.token)]) {
      expectProblem(await send(gateway.url, name, request, headers), 403, 'wrong_company');
    }
  });

  it('lets an agent dial, see a state and see a call of nobody else', async () => {
    const { gateway, agent, colleague, callId } = world;
    const click = 'POST /api/integrations/cti/click-to-dial';
    for (const named of [{ agent_id: agent.id }, { agent_code: agent.agentCode }]) {
      const request = { path: '/api/integrations/cti/click-to-dial', body: { phone_number: knownPhone, ...named } };
      expectProblem(await send(gateway.url, click, request, bearer(colleague.token)), 403, 'role_required');
    }
    const asColleague = (name: RouteName, path: string, body?: Record<string, unknown>) =>
      send(gateway.url, name, { path, ...(body === undefined ? {} : { body }) }, bearer(colleague.token));
    expectProblem(
      await asColleague('GET /api/agents/{id}/state', `/api/agents/${agent.id}/state`),
      403,
      'role_required',
    );
    expectProblem(await asColleague('GET /api/calls', `/api/calls?agent_id=${agent.id}`), 403, 'role_required');
    // That there is such a call is nothing for a colleague to know.
    expectProblem(await asColleague('GET /api/calls/{id}', `/api/calls/${callId}`), 404, 'not_found');
    const disposition = await asColleague('POST /api/calls/{id}/disposition', `/api/calls/${callId}/disposition`, {
      code: 'other',
    });
    expectProblem(disposition, 404, 'not_found');
    expect((await asColleague('GET /api/calls', '/api/calls')).body).toEqual({
      calls: [],
      agents: [],
      next_cursor: null,
    });
  });

  it('keeps what each company pushed for one number apart', async () => {
    const { gateway, ours, strangers } = world;
    const path = '/api/integrations/inbound';
    const push = { phone_number: knownPhone, data: { name: 'Somebody else' } };
    const pushed = await send(
      gateway.url,
      'POST /api/integrations/inbound',
      { path, body: push },
      keyed(strangers.key),
    );
    expect(pushed.status).toBe(200);
    const lookUp = (key: string) =>
      send(
        gateway.url,
        'GET /api/integrations/lookup',
        { path: `/api/integrations/lookup?phone=%2B${knownPhone.slice(1)}` },
        keyed(key),
      );
    expect((await lookUp(ours.key)).body).toMatchObject({ screen_pop: { name: 'Grace Hopper', vip_tier: 'gold' } });
    expect((await lookUp(strangers.key)).body).toMatchObject({ screen_pop: { name: 'Somebody else' } });
    const forget: RouteName = 'DELETE /api/integrations/inbound';
    const forgotten = await send(
      gateway.url,
      forget,
      { path: `${path}?phone=%2B${knownPhone.slice(1)}` },
      keyed(strangers.key),
    );
    expect(forgotten.status).toBe(204);
    expect((await lookUp(ours.key)).status).toBe(200);
  });

  it('gives a token for eight hours, and takes it until then', async () => {
    const { gateway, clock, agent, ours } = world;
    const login = { agent_code: agent.agentCode, company_slug: ours.slug, password: agent.password };
    const answer = await gateway.api.post('/api/auth/login').send(login).expect(200);
    const second = Math.floor(clock.now() / 1000) * 1000;
    expect(answer.body.expires_at).toBe(new Date(second + 8 * 3600 * 1000).toISOString());
  });

  it.each(['/', '/docs', '/openapi.json', '/metrics'])(
    'asks for nothing at %s, which holds nothing of any company',
    async (path) => {
      const customer = { phone_number: '+15551239876', data: { name: 'Known to this company alone' } };
      const pushed = await send(
        world.gateway.url,
        'POST /api/integrations/inbound',
        { path: '/api/integrations/inbound', body: customer },
        keyed(world.ours.key),
      );
      expect(pushed.status).toBe(200);
      const answer = await send(world.gateway.url, 'GET /', { path });
      expect(answer.status).toBe(200);
      const secrets = [
        world.ours.id,
        world.agent.id,
        world.ours.key,
        world.callId,
        customer.data.name,
        customer.phone_number,
      ];
      for (const secret of secrets) expect(answer.text.includes(secret)).toBe(false);
    },
  );
});

/** What another company gets must not hold anything of ours. */
function expectNothingOfOurs(world: World, rule: Rule, text: string): void {
  if (rule.for !== 'companies') return;
  const { ours, agent, adminId, callId, deliveryId, receiver } = world;
  for (const own of [ours.id, agent.id, adminId, callId, deliveryId, 'Grace Hopper', receiver.url]) {
    expect(text).not.toContain(own);
  }
}

async function stateOfOurs({ gateway, ours, agent, callId, deliveryId }: World): Promise<unknown[]> {
  const paths = [`/api/agents/${agent.id}`, `/api/agents/${agent.id}/state`, `/api/calls/${callId}`];
  const reads = [...paths, `/api/integrations/webhook-deliveries/${deliveryId}`].map((path) =>
    gateway.api.get(path).set(bearer(ours.adminToken)).expect(200),
  );
  return (await Promise.all(reads)).map((answer) => answer.body as unknown);
}

/** Makes credentials that were good and are no longer, and some that never were. */
async function spoil({ gateway, clock, jwtSecret, ours }: PopulatedGateway): Promise<Worthless> {
  const asAdmin = bearer(ours.adminToken);
  const rotatedKey = ours.key;
  const rotated = await gateway.api.put('/api/integrations').set(asAdmin).send({ rotate_api_key: true }).expect(200);
  ours.key = rotated.body.api_key;

  const [gone, forgetful] = await Promise.all([
    gateway.agent(ours, 'gone', 'admin'),
    gateway.agent(ours, 'forgetful', 'admin'),
  ]);
  for (const { token } of [gone, forgetful]) await gateway.api.get('/api/me').set(bearer(token)).expect(200);
  await gateway.api.patch(`/api/agents/${gone.id}`).set(asAdmin).send({ active: false }).expect(200);
  await gateway.api
    .patch(`/api/agents/${forgetful.id}`)
    .set(asAdmin)
    .send({ password: 'another-password' })
    .expect(200);

  const claims = jwt.verify(ours.adminToken, jwtSecret) as jwt.JwtPayload;
  const nowSeconds = Math.floor(clock.now() / 1000);
  const expired = jwt.sign({ ...claims, iat: nowSeconds, exp: nowSeconds + 2 }, jwtSecret);
  await gateway.api.get('/api/me').set(bearer(expired)).expect(200);
  await clock.advance(2_000);
  return {
    rotatedKey,
    otherSecret: jwt.sign(claims, 'a secret of somebody else, as long as ours'),
    otherAlgorithm: jwt.sign(claims, jwtSecret, { algorithm: 'HS512' }),
    unsigned: jwt.sign(claims, '', { algorithm: 'none' }),
    otherIssuer: jwt.sign({ ...claims, iss: 'somebody-else' }, jwtSecret),
    expired,
    deactivated: gone.token,
    beforePasswordChange: forgetful.token,
  };
}
