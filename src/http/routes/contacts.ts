import { z } from 'zod';
import {
  activityList,
  addNoteRequest,
  contactActivityView,
  listActivitiesQuery,
} from '../../contract/contactActivities.ts';
import { createFieldRequest, fieldList, fieldView, updateFieldRequest } from '../../contract/contactFields.ts';
import { contactSummaryView } from '../../contract/contactSummary.ts';
import {
  contactList,
  contactView,
  createContactRequest,
  listContactsQuery,
  updateContactRequest,
} from '../../contract/contacts.ts';
import {
  createOrganisationRequest,
  listOrganisationsQuery,
  organisationList,
  organisationView,
  updateOrganisationRequest,
} from '../../contract/organisations.ts';
import { eraseContactRequest, erasureView } from '../../contract/eraseContact.ts';
import { mergeContactRequest } from '../../contract/mergeContacts.ts';
import { code } from '../../contract/values.ts';
import { adminToken, anyToken, keyOrToken, supervisorToken } from '../../domain/access.ts';
import { changeContact } from '../../usecases/contacts/changeContact.ts';
import { createField, listFields, removeField, updateField } from '../../usecases/contacts/contactFields.ts';
import { readSummary } from '../../usecases/contacts/contactSummary.ts';
import { addNote, listActivities } from '../../usecases/contacts/contactTimeline.ts';
import { eraseContact } from '../../usecases/contacts/eraseContact.ts';
import { mergeContacts } from '../../usecases/contacts/mergeContacts.ts';
import { createContact, listContacts, readContact } from '../../usecases/contacts/manageContacts.ts';
import {
  createOrganisation,
  listOrganisations,
  readOrganisation,
  updateOrganisation,
} from '../../usecases/contacts/manageOrganisations.ts';
import { changing, creating, expectedVersion, replayHeaders, replyCreated } from '../changeHeaders.ts';
import { idInPath, reply, replyWith, route } from '../route.ts';

const tag = 'Contacts';

const keyInPath = z.object({ key: code });

export const contactRoutes = [
  route({
    method: 'get',
    path: '/api/crm/contacts',
    id: 'listContacts',
    summary: 'Contacts of the company',
    description: 'An agent sees all, or only its own and those of nobody, as the company chooses (`contact_scope`).',
    tag,
    access: keyOrToken,
    share: 'lists',
    query: listContactsQuery,
    answers: { 200: contactList },
    refusals: ['invalid_phone'],
    handler: async ({ services, principal, query }) => replyWith(200, await listContacts(services, principal, query)),
  }),
  route({
    method: 'post',
    path: '/api/crm/contacts',
    id: 'createContact',
    summary: 'Create a contact',
    description:
      'A name, a number or an address is enough. Several contacts may share a number. ' +
      'A number of a contact with the same name (in any word order), or where one of both has no name, ' +
      'is refused with 409, `phone_taken` and `errors[0].params.contact_id`, ' +
      'unless their external ids differ or `shared` says that it is another person.',
    tag,
    access: keyOrToken,
    headers: creating,
    body: createContactRequest,
    answers: { 201: contactView },
    answerHeaders: replayHeaders,
    refusals: ['invalid_phone', 'conflict', 'idempotency_in_progress', 'idempotency_mismatch'],
    handler: async ({ services, principal, body, headers }) =>
      replyCreated(await createContact(services, principal, body, headers['idempotency-key'] ?? null)),
  }),
  route({
    method: 'get',
    path: '/api/crm/contacts/{id}',
    id: 'readContact',
    summary: 'One contact',
    tag,
    access: keyOrToken,
    params: idInPath,
    answers: { 200: contactView },
    refusals: ['not_found'],
    handler: async ({ services, principal, params }) =>
      replyWith(200, await readContact(services, principal, params.id)),
  }),
  route({
    method: 'get',
    path: '/api/crm/contacts/{id}/summary',
    id: 'readContactSummary',
    summary: 'What to know before speaking to a contact',
    description:
      'Its last calls, open tasks and deals. Whoever has a call with the contact sees all of it; ' +
      'else an agent who sees only its own contacts sees of tasks and deals what it sees elsewhere.',
    tag,
    access: anyToken,
    share: 'lists',
    params: idInPath,
    answers: { 200: contactSummaryView },
    refusals: ['not_found'],
    handler: async ({ services, principal, params }) =>
      replyWith(200, await readSummary(services, principal, params.id)),
  }),
  route({
    method: 'patch',
    path: '/api/crm/contacts/{id}',
    id: 'updateContact',
    summary: 'Change a contact',
    description: 'Fields that are left out stay; a list replaces the former one; `fields` are changed one by one.',
    tag,
    access: keyOrToken,
    params: idInPath,
    headers: changing,
    body: updateContactRequest,
    answers: { 200: contactView },
    refusals: ['invalid_phone', 'not_found', 'conflict'],
    handler: async ({ services, principal, params, headers, body }) =>
      replyWith(200, await changeContact(services, principal, params.id, body, expectedVersion(headers, body))),
  }),
  route({
    method: 'post',
    path: '/api/crm/contacts/{id}/merge',
    id: 'mergeContacts',
    summary: 'Put another contact into this one',
    description:
      'Numbers, addresses, tags, timeline, calls and tasks of the other one are this one’s from then on, ' +
      'and its id leads to this one. Of what both say, this one is right where `take` does not name the field.',
    tag,
    access: supervisorToken,
    params: idInPath,
    body: mergeContactRequest,
    answers: { 200: contactView },
    refusals: ['not_found', 'conflict'],
    handler: async ({ services, principal, params, body }) =>
      replyWith(200, await mergeContacts(services, principal, params.id, body)),
  }),
  route({
    method: 'post',
    path: '/api/crm/contacts/{id}/erase',
    id: 'eraseContact',
    summary: 'Erase a person',
    description:
      'The contact, its timeline, tasks, what a CRM pushed for its numbers, ' +
      'and what imports hold of it are deleted; so are webhooks of its calls, those not sent yet too. ' +
      'Its calls stay without number, name and notes. Its deals name nobody. ' +
      'Numbers, addresses and external ids that it had before count too, unless another contact has them now. ' +
      'No import makes the person a contact again. It cannot be undone.',
    tag,
    access: adminToken,
    params: idInPath,
    body: eraseContactRequest,
    answers: { 200: erasureView },
    refusals: ['not_found', 'conflict'],
    handler: async ({ services, principal, params, body }) =>
      replyWith(200, await eraseContact(services, principal, params.id, body)),
  }),
  route({
    method: 'get',
    path: '/api/crm/activities',
    id: 'listActivities',
    summary: 'The timeline of a contact',
    description:
      'The calls of its numbers, those from before it was made too, ' +
      'those with other numbers whose click named it (`contact_id`), notes and changes; the latest first.',
    tag,
    access: anyToken,
    share: 'lists',
    query: listActivitiesQuery,
    answers: { 200: activityList },
    refusals: ['not_found'],
    handler: async ({ services, principal, query }) => replyWith(200, await listActivities(services, principal, query)),
  }),
  route({
    method: 'post',
    path: '/api/crm/activities',
    id: 'addNote',
    summary: 'Write a note on a contact',
    tag,
    access: anyToken,
    headers: creating,
    body: addNoteRequest,
    answers: { 201: contactActivityView },
    answerHeaders: replayHeaders,
    refusals: ['not_found', 'idempotency_in_progress', 'idempotency_mismatch'],
    handler: async ({ services, principal, body, headers }) =>
      replyCreated(await addNote(services, principal, body, headers['idempotency-key'] ?? null)),
  }),
  route({
    method: 'get',
    path: '/api/crm/organisations',
    id: 'listOrganisations',
    summary: 'Organisations of the company',
    tag,
    access: anyToken,
    share: 'lists',
    query: listOrganisationsQuery,
    answers: { 200: organisationList },
    handler: async ({ services, principal, query }) =>
      replyWith(200, await listOrganisations(services, principal.companyId, query)),
  }),
  route({
    method: 'post',
    path: '/api/crm/organisations',
    id: 'createOrganisation',
    summary: 'Create an organisation',
    tag,
    access: anyToken,
    headers: creating,
    body: createOrganisationRequest,
    answers: { 201: organisationView },
    answerHeaders: replayHeaders,
    refusals: ['idempotency_in_progress', 'idempotency_mismatch'],
    handler: async ({ services, principal, body, headers }) =>
      replyCreated(await createOrganisation(services, principal, body, headers['idempotency-key'] ?? null)),
  }),
  route({
    method: 'get',
    path: '/api/crm/organisations/{id}',
    id: 'readOrganisation',
    summary: 'One organisation',
    description: 'Its contacts: `GET /api/crm/contacts?organisation=…`.',
    tag,
    access: anyToken,
    params: idInPath,
    answers: { 200: organisationView },
    refusals: ['not_found'],
    handler: async ({ services, principal, params }) =>
      replyWith(200, await readOrganisation(services, principal.companyId, params.id)),
  }),
  route({
    method: 'patch',
    path: '/api/crm/organisations/{id}',
    id: 'updateOrganisation',
    summary: 'Change an organisation',
    tag,
    access: anyToken,
    params: idInPath,
    headers: changing,
    body: updateOrganisationRequest,
    answers: { 200: organisationView },
    refusals: ['not_found', 'conflict'],
    handler: async ({ services, principal, params, headers, body }) =>
      replyWith(
        200,
        await updateOrganisation(services, principal.companyId, params.id, body, expectedVersion(headers, body)),
      ),
  }),
  route({
    method: 'get',
    path: '/api/crm/fields',
    id: 'listContactFields',
    summary: 'The company’s own fields of contacts',
    tag,
    access: anyToken,
    answers: { 200: fieldList },
    handler: async ({ services, principal }) => reply(200, await listFields(services, principal.companyId)),
  }),
  route({
    method: 'post',
    path: '/api/crm/fields',
    id: 'createContactField',
    summary: 'Define a field',
    tag,
    access: adminToken,
    body: createFieldRequest,
    answers: { 201: fieldView },
    refusals: ['conflict'],
    handler: async ({ services, principal, body }) =>
      replyWith(201, await createField(services, principal.companyId, body)),
  }),
  route({
    method: 'patch',
    path: '/api/crm/fields/{key}',
    id: 'updateContactField',
    summary: 'Change a field',
    description: 'Its key and kind stay. A choice that is taken away stays where it was chosen.',
    tag,
    access: adminToken,
    params: keyInPath,
    headers: changing,
    body: updateFieldRequest,
    answers: { 200: fieldView },
    refusals: ['not_found', 'conflict'],
    handler: async ({ services, principal, params, headers, body }) =>
      replyWith(
        200,
        await updateField(services, principal.companyId, params.key, body, expectedVersion(headers, body)),
      ),
  }),
  route({
    method: 'delete',
    path: '/api/crm/fields/{key}',
    id: 'removeContactField',
    summary: 'Remove a field',
    description: 'What contacts hold in it is kept, and shown again when a field of this key is made.',
    tag,
    access: adminToken,
    params: keyInPath,
    answers: { 204: null },
    refusals: ['not_found'],
    handler: async ({ services, principal, params }) =>
      replyWith(204, await removeField(services, principal.companyId, params.key)),
  }),
];
