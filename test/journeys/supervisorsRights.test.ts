import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/http/routes.ts';
import type { ErrorCode } from '../../src/contract/errors.ts';
import type { TestAgent } from '../support/gateway/gateway.ts';
import { bearer, startPopulatedGateway, type PopulatedGateway } from '../support/gateway/populatedGateway.ts';
import {
  routeRequests,
  send,
  type RouteAnswer,
  type RouteName,
  type RouteRequest,
} from '../support/http/routeRequests.ts';

/**
 * What a supervisor gets who does not lead the agent whom the request is about.
 * One who does, gets what it answers to every supervisor.
 */
type Rule =
  /** It is about no agent, about the caller, or tells what every agent of the company sees. */
  | { kind: 'the same' }
  | { kind: 'refused'; status: number; code: ErrorCode }
  /** What somebody else wrote, who may have told of anybody: whoever leads some teams only is refused. */
  | { kind: 'of another writer' }
  /** Both get 200, and the agent is in one of the answers alone. `agent`: as the answer names it. */
  | { kind: 'left out'; agent: (answer: RouteAnswer, world: World) => boolean; path?: (world: World) => string };

type World = PopulatedGateway & { insider: TestAgent; outsider: TestAgent; teamId: string };

const theSame: Rule = { kind: 'the same' };
const ofAnother: Rule = { kind: 'of another writer' };
const refused = (code: ErrorCode): Rule => ({ kind: 'refused', status: 404, code });
const leftOut = (agent: (answer: RouteAnswer, world: World) => boolean, path?: (world: World) => string): Rule => ({
  kind: 'left out',
  agent,
  ...(path === undefined ? {} : { path }),
});
const names = ({ text }: RouteAnswer, { agent }: World) => text.includes(agent.id);

/** For every route that supervisors may use. */
const rules: Record<string, Rule> = {
  'POST /api/integrations/cti/click-to-dial': refused('unknown_agent'),
  'GET /api/calls': leftOut(names),
  'GET /api/calls/{id}': refused('not_found'),
  'PATCH /api/calls/{id}': refused('not_found'),
  'PATCH /api/calls': refused('not_found'),
  'PUT /api/calls/{id}/notes': refused('not_found'),
  'GET /api/calls/{id}/conversation': refused('not_found'),
  'GET /api/calls/{id}/previous': refused('not_found'),
  'GET /api/calls/{id}/steps': refused('not_found'),
  'GET /api/calls/{id}/deliveries': refused('not_found'),
  'GET /api/calls/{id}/corrections': refused('not_found'),
  'POST /api/calls/{id}/disposition': refused('not_found'),
  'POST /api/calls/{id}/left': refused('not_found'),
  'POST /api/calls/{id}/record': refused('not_found'),
  'GET /api/crm/exports/calls.csv': leftOut(({ text }, { callId }) => text.includes(callId)),
  'GET /api/reports/calls': leftOut(({ body }) => (body['total'] as { calls: number }).calls > 0),
  'GET /api/reports/calls.csv': leftOut(names, () => '/api/reports/calls.csv?group_by=agent'),
  'GET /api/integrations/cti/pop': leftOut(
    ({ body }) => body['call'] !== null,
    ({ callId }) => `/api/integrations/cti/pop?phone=%2B15551230001&call=${callId}`,
  ),
  'GET /api/agents': leftOut(names),
  'GET /api/agents/{id}': refused('unknown_agent'),
  'GET /api/agents/{id}/state': refused('unknown_agent'),
  'GET /api/agents/{id}/timeline': refused('unknown_agent'),
  'PUT /api/agents/{id}/state': refused('unknown_agent'),
  'GET /api/teams': leftOut(names),
  'GET /api/teams/{id}': refused('not_found'),
  'GET /api/crm/tasks': leftOut(names),
  'GET /api/crm/tasks/{id}': refused('not_found'),
  'PATCH /api/crm/tasks/{id}': refused('not_found'),
  'POST /api/crm/tasks/{id}/take': refused('not_found'),
  'POST /api/crm/tasks/{id}/skip': refused('not_found'),
  'GET /api/reports/trends': leftOut(({ body }) =>
    (body['quarters'] as Record<string, unknown>[]).some((quarter) =>
      Object.values(quarter).some((count) => typeof count === 'number' && count > 0),
    ),
  ),
  'POST /api/messages': refused('unknown_agent'),
  'GET /api/messages': leftOut(
    ({ text }, { insider, supervisor }) => text.includes(insider.id) || text.includes(supervisor.id),
  ),
  'DELETE /api/messages/{id}': ofAnother,
  'GET /api/messages/{id}/readers': ofAnother,
  // Filters alone: what a view tells is what whoever opens it sees.
  'GET /api/reports/views': theSame,
  'POST /api/reports/views': theSame,
  'PATCH /api/reports/views/{id}': theSame,
  'DELETE /api/reports/views/{id}': theSame,
  // One’s own.
  'GET /api/me': theSame,
  'PUT /api/me/password': theSame,
  'GET /api/me/today': theSame,
  'GET /api/me/may-dial': theSame,
  'GET /api/me/speed-dials': theSame,
  'PUT /api/me/speed-dials': theSame,
  'GET /api/me/missed-calls': theSame,
  'PUT /api/me/missed-calls': theSame,
  'POST /api/crm/tasks': theSame,
  // To whom a task or a call may be handed on, and what the company knows of its customers: as every agent sees it.
  'GET /api/colleagues': theSame,
  'GET /api/integrations/lookup': theSame,
  'POST /api/integrations/inbound': theSame,
  'GET /api/integrations/cti/screen-pop': theSame,
  'POST /api/integrations/inbound/bulk': theSame,
  'DELETE /api/integrations/inbound': theSame,
  'GET /api/crm/contacts': theSame,
  'POST /api/crm/contacts': theSame,
  'GET /api/crm/contacts/{id}': theSame,
  'GET /api/crm/contacts/{id}/summary': theSame,
  'PATCH /api/crm/contacts/{id}': theSame,
  'POST /api/crm/contacts/{id}/merge': theSame,
  'GET /api/crm/activities': theSame,
  'POST /api/crm/activities': theSame,
  'GET /api/crm/organisations': theSame,
  'POST /api/crm/organisations': theSame,
  'GET /api/crm/organisations/{id}': theSame,
  'PATCH /api/crm/organisations/{id}': theSame,
  'GET /api/crm/fields': theSame,
  'GET /api/crm/duplicates': theSame,
  'DELETE /api/crm/duplicates/{id}': theSame,
  'GET /api/crm/pipelines': theSame,
  'GET /api/crm/pipelines/{id}': theSame,
  'GET /api/crm/pipelines/{id}/board': theSame,
  'GET /api/crm/deals': theSame,
  'POST /api/crm/deals': theSame,
  'GET /api/crm/deals/{id}': theSame,
  'PATCH /api/crm/deals/{id}': theSame,
  'GET /api/crm/deals/{id}/moves': theSame,
  'GET /api/crm/search': theSame,
  'GET /api/integrations': theSame,
  'POST /api/integrations/cti/pop-links': theSame,
  'GET /api/company': theSame,
};

/** Requests of our own, where the usual ones are about no agent. */
const requests: Record<string, (world: World) => Promise<RouteRequest>> = {
  'GET /api/teams/{id}': async ({ teamId }) => ({ path: `/api/teams/${teamId}` }),
  // The admin, who is there beside these, wrote the one that the usual requests name.
  'POST /api/messages': async ({ agent }) => ({
    path: '/api/messages',
    body: { text: 'Call me.', to: { agent_id: agent.id } },
  }),
  'GET /api/crm/tasks/{id}': async (world) => ({ path: `/api/crm/tasks/${await taskOfAgent(world)}` }),
  'PATCH /api/crm/tasks/{id}': async (world) => ({
    path: `/api/crm/tasks/${await taskOfAgent(world)}`,
    body: { assignee_id: world.colleague.id },
  }),
  'POST /api/crm/tasks/{id}/take': async (world) => ({ path: `/api/crm/tasks/${await taskOfAgent(world)}/take` }),
  'POST /api/crm/tasks/{id}/skip': async (world) => ({
    path: `/api/crm/tasks/${await taskOfAgent(world)}/skip`,
    body: { reason: 'not_now' },
  }),
};

async function taskOfAgent({ gateway, ours, agent }: PopulatedGateway): Promise<string> {
  const task = { title: 'Send the offer', due_at: '2030-01-01T10:00:00.000Z', assignee_id: agent.id };
  return (await gateway.as(ours).post('/api/crm/tasks').send(task).expect(201)).body.id;
}

describe('a supervisor of some teams', () => {
  let world: World;

  beforeAll(async () => {
    const populated = await startPopulatedGateway();
    const { gateway, ours, agent, colleague } = populated;
    const teamOf = async (code: string, member: TestAgent) =>
      (
        await gateway
          .as(ours)
          .post('/api/teams')
          .send({ code, name: code, agent_ids: [member.id] })
          .expect(201)
      ).body.id as string;
    const leader = async (code: string, teamId: string) => {
      const made = await gateway.agent(ours, code, 'supervisor');
      await gateway
        .as(ours)
        .patch(`/api/agents/${made.id}`)
        .send({ led_team_ids: [teamId] })
        .expect(200);
      return made;
    };
    const [teamId, otherId] = [await teamOf('inside', agent), await teamOf('outside', colleague)];
    world = {
      ...populated,
      teamId,
      insider: await leader('insider', teamId),
      outsider: await leader('outsider', otherId),
    };
    await taskOfAgent(world);
    // Reports tell of what was before now.
    await world.clock.advance(1_000);
  });
  afterAll(() => world.close());

  const ask = async (name: RouteName, { token }: TestAgent): Promise<RouteAnswer> => {
    const make = requests[name] ?? routeRequests[name];
    if (make === undefined) throw new Error(`there is no request for ${name}`);
    const rule = rules[name];
    const path = rule?.kind === 'left out' ? rule.path?.(world) : undefined;
    const request = { ...(await make(world)), ...(path === undefined ? {} : { path }) };
    return send(
      world.gateway.url,
      name,
      request,
      bearer(name === 'PUT /api/me/password' ? world.changer.token : token),
    );
  };

  it('is decided upon for each route that supervisors may use', () => {
    const open = routes.filter(
      ({ access }) => access.kind === 'company' && access.roles.some((role) => role === 'supervisor'),
    );
    expect(Object.keys(rules).toSorted()).toEqual(
      open.map(({ method, path }) => `${method.toUpperCase()} ${path}`).toSorted(),
    );
  });

  it.each(Object.entries(rules) as [RouteName, Rule][])('%s', async (name, rule) => {
    const inside = await ask(name, world.insider);
    if (rule.kind === 'of another writer') {
      expect([inside.body['code'], (await ask(name, world.outsider)).body['code']]).toEqual(['not_found', 'not_found']);
      expect((await ask(name, world.supervisor)).status).toBeLessThan(300);
      return;
    }
    const unlimited = await ask(name, world.supervisor);
    expect(inside.status).toBe(unlimited.status);
    const outside = await ask(name, world.outsider);
    if (rule.kind === 'refused') expect([outside.status, outside.body['code']]).toEqual([rule.status, rule.code]);
    else expect(outside.status).toBe(inside.status);
    if (rule.kind === 'left out') {
      expect([rule.agent(unlimited, world), rule.agent(inside, world), rule.agent(outside, world)]).toEqual([
        true,
        true,
        false,
      ]);
    }
  });

  it('learns nothing more by asking for the agent or the team by id: as of those that are not there', async () => {
    const { agent, gateway, outsider, teamId } = world;
    const as = gateway.as(outsider);
    for (const query of [`agent_id=${agent.id}`, `agent_id=${agent.id}&q=5551230001`, `team_id=${teamId}`]) {
      expect((await as.get(`/api/calls?${query}`).expect(200)).body).toMatchObject({ calls: [], agents: [] });
      expect((await as.get(`/api/crm/exports/calls.csv?${query}`).expect(200)).text.trimEnd().split('\n')).toHaveLength(
        1,
      );
    }
    for (const group of ['day', 'hour', 'agent', 'team', 'disposition']) {
      const { rows, total } = (await as.get(`/api/reports/calls?group_by=${group}&team_id=${teamId}`).expect(200)).body;
      expect([rows.filter(({ calls }: { calls: number }) => calls > 0), total.calls, total.clicks_refused]).toEqual([
        [],
        0,
        null,
      ]);
    }
    expect((await as.get(`/api/crm/tasks?assignee=${agent.id}`).expect(200)).body).toMatchObject({
      tasks: [],
      total: 0,
    });
  });

  it('sees an agent who is in several teams where one of them fits, and calls and figures of that agent', async () => {
    const { agent, colleague, gateway, ours, outsider } = world;
    const both = (
      await gateway
        .as(ours)
        .post('/api/teams')
        .send({ code: 'both', name: 'Both', agent_ids: [agent.id, colleague.id] })
        .expect(201)
    ).body.id;
    const made = await gateway.agent(ours, 'leads-two', 'supervisor');
    await gateway
      .as(ours)
      .patch(`/api/agents/${made.id}`)
      .send({ led_team_ids: [both] })
      .expect(200);
    const as = gateway.as(made);
    const listed = (await as.get('/api/agents').expect(200)).body.agents.map(({ id }: { id: string }) => id);
    expect(listed.toSorted()).toEqual([agent.id, colleague.id, made.id].toSorted());
    expect((await as.get('/api/calls').expect(200)).body.calls.length).toBeGreaterThan(0);
    await gateway.as(outsider).get(`/api/agents/${agent.id}`).expect(404);
    // Those of one team who are in another one that is led.
    expect((await as.get(`/api/calls?team_id=${world.teamId}`).expect(200)).body.calls.length).toBeGreaterThan(0);
  });

  it('makes links to the pop page that show no call of others either', async () => {
    const { callId, gateway, insider, outsider } = world;
    const shown = [];
    for (const by of [insider, outsider]) {
      const { url } = (
        await gateway
          .as(by)
          .post('/api/integrations/cti/pop-links')
          .send({ phone: '+15551230001', call_id: callId })
          .expect(201)
      ).body;
      const { token } = (
        await gateway.api
          .post('/api/integrations/cti/pop-sessions')
          .send({ link: url.split('#link=')[1] })
          .expect(201)
      ).body;
      shown.push(
        (await gateway.api.get('/api/integrations/cti/pop-sessions').set('X-Pop-Token', token).expect(200)).body
          .call !== null,
      );
    }
    expect(shown).toEqual([true, false]);
  });

  it('reads the agents page by page as everybody does', async () => {
    const as = world.gateway.as(world.insider);
    const first = (await as.get('/api/agents?limit=1').expect(200)).body;
    const second = (await as.get(`/api/agents?limit=1&cursor=${first.next_cursor}`).expect(200)).body;
    expect([first.agents[0].id, second.agents[0].id].toSorted()).toEqual([world.agent.id, world.insider.id].toSorted());
    expect(second.next_cursor).toBeNull();
  });

  it('has clicks that name nobody dialed by the agents of these teams alone', async () => {
    const { agent, clock, colleague, gateway, insider, outsider } = world;
    const click = (by: TestAgent, body: object = {}) =>
      gateway
        .as(by)
        .post('/api/integrations/cti/click-to-dial')
        .send({ phone_number: '+15551230077', ...body });
    await gateway.readySoftphone(colleague);
    await clock.advance(1_000);
    expect((await click(insider).expect(503)).body.code).toBe('no_ready_agent');
    expect((await click(insider, { team_code: 'outside' }).expect(404)).body.code).toBe('unknown_team');
    await gateway.readySoftphone(agent);
    // The agent is not led: the click falls back to whoever is.
    expect((await click(outsider, { agent_id: agent.id, fallback: 'any' }).expect(404)).body.code).toBe(
      'unknown_agent',
    );
    expect((await click(insider).expect(201)).body.agent.id).toBe(agent.id);
    expect((await click(outsider).expect(201)).body.agent.id).toBe(colleague.id);
  });

  it('writes to these agents, a team of these and “everybody” of these, and sees and takes back what they wrote themselves alone', async () => {
    const { agent, colleague, gateway, insider, outsider, supervisor, teamId } = world;
    const write = (to: unknown) =>
      gateway.api.post('/api/messages').set(bearer(insider.token)).send({ text: 'Please call me.', to });
    const readersOf = async (id: string, who: TestAgent) =>
      (await gateway.api.get(`/api/messages/${id}/readers`).set(bearer(who.token)).expect(200)).body.readers.map(
        (reader: { id: string }) => reader.id,
      );
    for (const to of ['everybody', { team_id: teamId }, { agent_id: agent.id }]) {
      const { id } = (await write(to).expect(201)).body;
      expect(await readersOf(id, supervisor)).toEqual([agent.id]);
      await gateway.api.get(`/api/messages/${id}/readers`).set(bearer(outsider.token)).expect(404);
      await gateway.api.delete(`/api/messages/${id}`).set(bearer(outsider.token)).expect(404);
      expect((await gateway.api.get('/api/messages').set(bearer(outsider.token)).expect(200)).text).not.toContain(id);
      expect(
        (await gateway.api.get('/api/messages').set(bearer(insider.token)).expect(200)).body.messages[0],
      ).toMatchObject({ id, taken_back_at: null });
      await gateway.api.delete(`/api/messages/${id}`).set(bearer(insider.token)).expect(204);
    }
    const lasting = (await gateway.api.get('/api/messages').set(bearer(supervisor.token)).expect(200)).text;
    expect((await write({ agent_id: colleague.id }).expect(404)).body.code).toBe('unknown_agent');
    const others = (await gateway.api.get('/api/teams').set(bearer(supervisor.token)).expect(200)).body.teams.find(
      ({ code }: { code: string }) => code === 'outside',
    );
    expect((await write({ team_id: others.id })).body.code).toBe('unknown_team');
    expect(
      (await gateway.api.get(`/api/reports/trends?team_id=${others.id}`).set(bearer(insider.token))).body.code,
    ).toBe('unknown_team');
    expect((await gateway.api.get('/api/messages').set(bearer(supervisor.token)).expect(200)).text).toBe(lasting);
  });

  it('gets no other supervisor’s answer under the same Idempotency-Key', async () => {
    const { gateway, insider, outsider, supervisor } = world;
    const click = (by: TestAgent) =>
      gateway
        .as(by)
        .post('/api/integrations/cti/click-to-dial')
        .set('Idempotency-Key', 'shared')
        .send({ phone_number: '+15551230078', agent_code: 'a101' });
    await gateway
      .as(world.ours)
      .put(`/api/agents/${world.colleague.id}/state`)
      .send({ state: 'ready', force: true })
      .expect(200);
    expect((await click(supervisor).expect(201)).body.agent.agent_code).toBe('a101');
    for (const by of [insider, outsider]) expect((await click(by)).body.code).toBe('idempotency_mismatch');
  });

  it('sees nobody once the last of the teams is removed, until an admin says whom', async () => {
    const { agent, gateway, ours } = world;
    const team = (
      await gateway
        .as(ours)
        .post('/api/teams')
        .send({ code: 'gone', name: 'Gone', agent_ids: [agent.id] })
        .expect(201)
    ).body;
    const made = await gateway.agent(ours, 'leads-none', 'supervisor');
    const change = (led: string[] | null) =>
      gateway.as(ours).patch(`/api/agents/${made.id}`).send({ led_team_ids: led });
    await change([team.id]).expect(200);
    await gateway.as(made).get(`/api/agents/${agent.id}`).expect(200);
    await gateway.as(ours).delete(`/api/teams/${team.id}`).expect(204);
    await gateway.as(made).get(`/api/agents/${agent.id}`).expect(404);
    expect((await gateway.as(ours).get(`/api/agents/${made.id}`).expect(200)).body.led_team_ids).toEqual([]);
    expect(
      (await gateway.as(made).get('/api/agents').expect(200)).body.agents.map(({ id }: { id: string }) => id),
    ).toEqual([made.id]);
    await change(null).expect(200);
    await gateway.as(made).get(`/api/agents/${agent.id}`).expect(200);
  });

  it('is limited by admins alone, to teams of the company, and not as an admin', async () => {
    const { agent, gateway, insider, ours, strangers } = world;
    await gateway.as(insider).patch(`/api/agents/${insider.id}`).send({ led_team_ids: null }).expect(403);
    const theirs = (await gateway.as(strangers).post('/api/teams').send({ code: 'theirs', name: 'Theirs' }).expect(201))
      .body.id;
    const refusal = (
      await gateway
        .as(ours)
        .patch(`/api/agents/${insider.id}`)
        .send({ name: 'Other', led_team_ids: [world.teamId, theirs] })
        .expect(400)
    ).body;
    expect(refusal.errors).toMatchObject([{ path: 'led_team_ids.1', code: 'not_of_company' }]);
    expect((await gateway.as(ours).get(`/api/agents/${insider.id}`).expect(200)).body).toMatchObject({
      name: 'Agent insider',
      led_team_ids: [world.teamId],
    });
    for (const led_team_ids of [[], [world.teamId, world.teamId], ['x'], 'all'])
      await gateway.as(ours).patch(`/api/agents/${insider.id}`).send({ led_team_ids }).expect(400);
    const body = {
      agent_code: 'limited-admin',
      name: 'Limited',
      password: 'a-password',
      role: 'admin',
      led_team_ids: [world.teamId],
    };
    expect((await gateway.as(ours).post('/api/agents').send(body).expect(201)).body.led_team_ids).toEqual([
      world.teamId,
    ]);
    const token = await gateway.logIn({ agent_code: 'limited-admin', company_slug: ours.slug, password: 'a-password' });
    await gateway.as({ token }).get(`/api/agents/${agent.id}`).expect(200);
    await gateway.as({ token }).get(`/api/agents/${world.colleague.id}`).expect(200);
  });
});
