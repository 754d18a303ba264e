import { startGateway } from '../../support/gateway/gateway.ts';
import { bearer } from '../../support/gateway/populatedGateway.ts';
import {
  fittingCredentials,
  routeRequests,
  send,
  type RouteAnswer,
  type RouteName,
} from '../../support/http/routeRequests.ts';
import {
  type OwnPlays,
  type Play,
  type World,
  nobodys,
  ask,
  noCsv,
  newContact,
  newPipeline,
  somePipeline,
  underOneKey,
  whileUnderWay,
} from './play.ts';

/** Does with one import what another route was meant for. @param asFor of which route the import is */
function ofImport(name: RouteName, asFor: '/cancel' | '', end: '/runs' | '/cancel' | '/undo' | ''): Play {
  return async (world) => {
    const like: RouteName = asFor === '' ? 'GET /api/crm/imports/{id}' : 'POST /api/crm/imports/{id}/cancel';
    const { path } = (await routeRequests[like]?.(world)) ?? { path: '' };
    // Not by `ask`: the usual request of the route is made with another import, for which those under way are ended.
    return send(
      world.gateway.url,
      name,
      { path: path.replace(/\/cancel$/, '') + end, ...(end === '/runs' ? { body: { dry_run: true } } : {}) },
      fittingCredentials(name, world),
    );
  };
}

const changedContact: RouteName = 'PATCH /api/crm/contacts/{id}';
const newDeal: RouteName = 'POST /api/crm/deals';
const newTask: RouteName = 'POST /api/crm/tasks';
const newNote: RouteName = 'POST /api/crm/activities';
const newOrganisation: RouteName = 'POST /api/crm/organisations';
const newImport: RouteName = 'POST /api/crm/imports';
const someTask = { title: 'Send the offer', due_at: '2030-01-01T10:00:00Z' };
const anonymous = { phones: [{ phone_number: 'anonymous' }] };

/** Of the built-in CRM. */
export const builtInCrmPlays: OwnPlays = {
  [newContact]: {
    invalid_phone: ask(newContact, { body: anonymous }),
    conflict: async (world: World) => {
      const taken = { external_id: 'taken', name: 'Edsger Dijkstra' };
      await ask(newContact, { body: taken })(world);
      return ask(newContact, { body: taken })(world);
    },
    idempotency_mismatch: underOneKey(newContact, { name: 'Edsger Dijkstra' }, { tier: 'gold' }),
    idempotency_in_progress: whileUnderWay(newContact, { body: { name: 'Edsger Dijkstra' } }, 'contacts'),
  },
  [changedContact]: {
    invalid_phone: ask(changedContact, { body: anonymous }),
    conflict: ask(changedContact, { body: { version: 7 } }),
  },
  'POST /api/crm/tasks/{id}/skip': {
    conflict: ask('POST /api/crm/tasks/{id}/skip', { body: { reason: 'not_now', version: 7 } }),
  },
  [newPipeline]: {
    idempotency_mismatch: underOneKey(newPipeline, somePipeline, { name: 'Another' }),
    idempotency_in_progress: whileUnderWay(newPipeline, { body: somePipeline }, 'pipelines'),
    conflict: async () => {
      const gateway = await startGateway('memory');
      try {
        const { adminToken } = await gateway.company({ slug: 'full' });
        const another = (): Promise<RouteAnswer> =>
          send(
            gateway.url,
            'POST /api/crm/pipelines',
            { path: '/api/crm/pipelines', body: { name: 'Sales', stages: [{ name: 'New' }] } },
            bearer(adminToken),
          );
        for (let made = 0; made < 100; made += 1) await another();
        return await another();
      } finally {
        await gateway.close();
      }
    },
  },
  'PATCH /api/crm/pipelines/{id}': { conflict: ask('PATCH /api/crm/pipelines/{id}', { body: { version: 7 } }) },
  'DELETE /api/crm/pipelines/{id}': {
    async conflict(world) {
      const { pipeline_id } = (await ask(newDeal)(world)).body;
      return ask('DELETE /api/crm/pipelines/{id}', { path: `/api/crm/pipelines/${String(pipeline_id)}` })(world);
    },
  },
  [newDeal]: {
    conflict: async () => {
      const gateway = await startGateway('memory');
      try {
        const { adminToken } = await gateway.company({ slug: 'no-pipeline' });
        return await send(
          gateway.url,
          newDeal,
          { path: '/api/crm/deals', body: { name: '50 licences' } },
          bearer(adminToken),
        );
      } finally {
        await gateway.close();
      }
    },
    async idempotency_mismatch(world) {
      const headers = { ...bearer(world.ours.adminToken), 'idempotency-key': 'key-of-a-deal' };
      await ask(newDeal, {}, () => headers)(world);
      return ask(newDeal, { body: { name: 'Another' } }, () => headers)(world);
    },
    idempotency_in_progress: whileUnderWay(newDeal, { body: { name: '50 licences' } }, 'deals'),
  },
  'PATCH /api/crm/deals/{id}': { conflict: ask('PATCH /api/crm/deals/{id}', { body: { version: 7 } }) },
  [newTask]: {
    invalid_phone: ask(newTask, { body: { ...someTask, phone_number: 'anonymous' } }),
    idempotency_mismatch: underOneKey(newTask, someTask, { notes: 'another' }),
    idempotency_in_progress: whileUnderWay(newTask, { body: someTask }, 'tasks'),
  },
  'POST /api/crm/contacts/{id}/merge': {
    async conflict(world) {
      const { body } = await ask(newContact, { body: { name: 'Edsger Dijkstra' } })(world);
      const id = String(body['id']);
      return ask('POST /api/crm/contacts/{id}/merge', {
        path: `/api/crm/contacts/${id}/merge`,
        body: { contact_id: id, version: 1, other_version: 1 },
      })(world);
    },
  },
  'POST /api/crm/contacts/{id}/erase': { conflict: ask('POST /api/crm/contacts/{id}/erase', { body: { version: 7 } }) },
  'PATCH /api/crm/tasks/{id}': {
    conflict: ask('PATCH /api/crm/tasks/{id}', { body: { title: 'Another', version: 7 } }),
  },
  'POST /api/crm/tasks/{id}/take': {
    async conflict(world) {
      const path = `/api/crm/tasks/${String((await ask(newTask)(world)).body['id'])}`;
      await ask('PATCH /api/crm/tasks/{id}', { path, body: { state: 'done' } })(world);
      return ask('POST /api/crm/tasks/{id}/take', { path: `${path}/take` })(world);
    },
  },
  'GET /api/crm/activities': {
    not_found: ask('GET /api/crm/activities', { path: `/api/crm/activities?contact=${nobodys}` }),
  },
  [newNote]: {
    not_found: ask(newNote, { body: { contact_id: nobodys, text: 'A note' } }),
    async idempotency_mismatch(world) {
      const headers = (of: World) => ({ ...bearer(of.ours.adminToken), 'idempotency-key': 'key-of-a-note' });
      await ask(newNote, {}, headers)(world);
      return ask(newNote, {}, headers)(world);
    },
    idempotency_in_progress: whileUnderWay(
      newNote,
      { body: { contact_id: nobodys, text: 'A note' } },
      'contacts',
      'addNote',
    ),
  },
  [newOrganisation]: {
    idempotency_mismatch: underOneKey(newOrganisation, { name: 'Navy' }, { name: 'Army' }),
    idempotency_in_progress: whileUnderWay(newOrganisation, { body: { name: 'Navy' } }, 'organisations'),
  },
  'PATCH /api/crm/organisations/{id}': { conflict: ask('PATCH /api/crm/organisations/{id}', { body: { version: 7 } }) },
  'POST /api/crm/fields': {
    conflict: async (world) => {
      const body = { key: 'taken', label: 'Plan', kind: 'text' };
      await ask('POST /api/crm/fields', { body })(world);
      return ask('POST /api/crm/fields', { body })(world);
    },
  },
  'PATCH /api/crm/fields/{key}': {
    not_found: ask('PATCH /api/crm/fields/{key}', { path: '/api/crm/fields/nobodys' }),
    conflict: ask('PATCH /api/crm/fields/{key}', { body: { version: 7 } }),
  },
  'DELETE /api/crm/fields/{key}': {
    not_found: ask('DELETE /api/crm/fields/{key}', { path: '/api/crm/fields/nobodys' }),
  },
  [newImport]: {
    ...noCsv(newImport, 64),
    async idempotency_mismatch(world) {
      const headers = (of: World) => ({ ...bearer(of.ours.adminToken), 'idempotency-key': 'key-of-a-file' });
      await ask(newImport, {}, headers)(world);
      return ask(newImport, { raw: 'name,external id\nAnother,a-1\n' }, headers)(world);
    },
    idempotency_in_progress: whileUnderWay(newImport, { csv: 'name,external id\nGrace,g-1\n' }, 'imports', 'update'),
    conflict: async (world) => {
      const full = await world.gateway.company({ slug: 'full-of-imports' });
      for (let index = 0; index < 30; index += 1) {
        const answer = await ask('POST /api/crm/imports', {}, () => bearer(full.adminToken))(world);
        if (answer.status === 409) return answer;
      }
      throw new Error('a company may have as many imports as it likes');
    },
  },
  'POST /api/crm/imports/from-cache': {
    conflict: ask('POST /api/crm/imports/from-cache', {}, ({ strangers }) => bearer(strangers.adminToken)),
  },
  'PATCH /api/crm/imports/{id}': { conflict: ask('PATCH /api/crm/imports/{id}', { body: { version: 7 } }) },
  'DELETE /api/crm/imports/{id}': { conflict: ofImport('DELETE /api/crm/imports/{id}', '/cancel', '') },
  'POST /api/crm/imports/{id}/runs': { conflict: ofImport('POST /api/crm/imports/{id}/runs', '/cancel', '/runs') },
  'POST /api/crm/imports/{id}/cancel': { conflict: ofImport('POST /api/crm/imports/{id}/cancel', '', '/cancel') },
  'POST /api/crm/imports/{id}/undo': { conflict: ofImport('POST /api/crm/imports/{id}/undo', '', '/undo') },
};
