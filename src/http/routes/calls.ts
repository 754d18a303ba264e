import { callList, callView, changeCallRequest, correctionList, dispositionRequest, listCallsQuery, saveNotesRequest } from '../../contract/calls.ts';
import { chooseRecordRequest } from '../../contract/screenPops.ts';
import { anyToken, keyOrSupervisor, supervisorToken } from '../../domain/access.ts';
import { type CallId, toId } from '../../domain/ids.ts';
import { changeRecordOf, listCorrections } from '../../usecases/calls/lifecycle/correctCall.ts';
import { listCalls, readCall } from '../../usecases/calls/lifecycle/readCalls.ts';
import { saveNotes, submitDisposition } from '../../usecases/calls/lifecycle/wrapUp.ts';
import { chooseRecord } from '../../usecases/screenPops/chooseRecord.ts';
import { writtenCall } from '../../usecases/views/callView.ts';
import { idInPath, reply, replyWith, route } from '../route.ts';

export const callRoutes = [
  route({
    method: 'get',
    path: '/api/calls',
    id: 'listCalls',
    summary: 'Calls, latest first',
    description: 'An agent sees the own calls; dialers, supervisors and admins see all of the company.',
    tag: 'Calls',
    access: anyToken,
    query: listCallsQuery,
    answers: { 200: callList },
    refusals: ['invalid_phone', 'role_required'],
    handler: async ({ services, principal, query }) => replyWith(200, await listCalls(services, principal, query)),
  }),
  route({
    method: 'get',
    path: '/api/calls/{id}',
    id: 'readCall',
    summary: 'One call',
    tag: 'Calls',
    access: anyToken,
    params: idInPath,
    answers: { 200: callView },
    refusals: ['not_found', 'wrong_company'],
    handler: async ({ services, principal, params }) =>
      replyWith(200, await readCall(services, principal, toId<CallId>(params.id))),
  }),
  route({
    method: 'patch',
    path: '/api/calls/{id}',
    id: 'changeCall',
    summary: 'Attach a recording, or correct how a call was wrapped up',
    description: 'For a PBX with the company’s key, supervisors and admins. A correction is told by the webhook `disposition` and in the CRM’s log anew; what it was before stays in the call’s history.',
    tag: 'Calls',
    access: keyOrSupervisor,
    params: idInPath,
    body: changeCallRequest,
    answers: { 200: callView },
    refusals: ['not_found', 'wrong_company', 'conflict'],
    handler: async ({ services, principal, params, body }) => {
      const changed = await changeRecordOf(services, principal, toId<CallId>(params.id), body);
      return changed.kind === 'refused' ? changed : reply(200, writtenCall(changed.value));
    },
  }),
  route({
    method: 'put',
    path: '/api/calls/{id}/notes',
    id: 'saveCallNotes',
    summary: 'Keep what is noted of a call so far',
    description: 'From the first ring until the call is wrapped up; `notes_draft` of the call. The notes of the wrap-up are those that are submitted with it.',
    tag: 'Calls',
    access: anyToken,
    params: idInPath,
    body: saveNotesRequest,
    answers: { 204: null },
    refusals: ['not_found', 'wrong_company', 'conflict'],
    handler: async ({ services, principal, params, body }) => {
      const saved = await saveNotes(services, principal, toId<CallId>(params.id), body.notes);
      return saved.kind === 'refused' ? saved : reply(204, null);
    },
  }),
  route({
    method: 'get',
    path: '/api/calls/{id}/corrections',
    id: 'listCallCorrections',
    summary: 'What was changed of how a call was wrapped up',
    description: 'The latest first, at most 100.',
    tag: 'Calls',
    access: supervisorToken,
    params: idInPath,
    answers: { 200: correctionList },
    refusals: ['not_found', 'wrong_company'],
    handler: async ({ services, principal, params }) => replyWith(200, await listCorrections(services, principal, toId<CallId>(params.id))),
  }),
  route({
    method: 'post',
    path: '/api/calls/{id}/disposition',
    id: 'submitDisposition',
    summary: 'Wrap up a call',
    tag: 'Calls',
    access: anyToken,
    params: idInPath,
    body: dispositionRequest,
    answers: { 200: callView },
    refusals: ['not_found', 'wrong_company', 'conflict'],
    handler: async ({ services, principal, params, body }) =>
      {
      const wrapped = await submitDisposition(services, principal, toId<CallId>(params.id), body);
      return wrapped.kind === 'refused' ? wrapped : reply(200, writtenCall(wrapped.value));
    },
  }),
  route({
    method: 'post',
    path: '/api/calls/{id}/record',
    id: 'chooseRecord',
    summary: 'Choose who the customer is',
    description:
      'Where several records of the CRM have the number of a call: one of its screen pop’s `candidates`. Possible during the call and after it; another one may be chosen later. What else the CRM knows of it follows in the call.',
    tag: 'Calls',
    access: anyToken,
    params: idInPath,
    body: chooseRecordRequest,
    answers: { 200: callView },
    refusals: ['not_found', 'wrong_company', 'conflict'],
    handler: async ({ services, principal, params, body }) => {
      const chosen = await chooseRecord(services, principal, toId<CallId>(params.id), body);
      return chosen.kind === 'refused' ? chosen : reply(200, writtenCall(chosen.value));
    },
  }),
];
