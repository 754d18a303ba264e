import { callCourse, callDeliveryList } from '../../contract/callCourse.ts';
import {
  callList,
  callView,
  changeCallRequest,
  changeCallsQuery,
  conversation,
  correctionList,
  dispositionRequest,
  leaveCallRequest,
  listCallsQuery,
  saveNotesRequest,
} from '../../contract/calls.ts';
import { previousCallsView } from '../../contract/previousCalls.ts';
import { chooseRecordRequest } from '../../contract/screenPops.ts';
import { anyToken, keyOrSupervisor, keyOrToken, softphoneToken, supervisorToken } from '../../domain/access.ts';
import { type CallId, type SessionId, toId } from '../../domain/ids.ts';
import { listDeliveriesOf, readCourse } from '../../usecases/calls/lifecycle/callCourse.ts';
import {
  changeRecordBySipCallId,
  changeRecordOf,
  listCorrections,
} from '../../usecases/calls/lifecycle/correctCall.ts';
import { leaveCall } from '../../usecases/calls/lifecycle/leaveCall.ts';
import { readPreviousCalls } from '../../usecases/calls/lifecycle/previousCalls.ts';
import { listCalls, readCall, readConversation } from '../../usecases/calls/lifecycle/readCalls.ts';
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
    description:
      'An agent sees the own calls; a supervisor of some teams those of their agents; ' +
      'other supervisors, dialers, admins and the company’s key all of the company. ' +
      '`sip_call_id` finds the call of a PBX’s own key.',
    tag: 'Calls',
    access: keyOrToken,
    share: 'lists',
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
    method: 'get',
    path: '/api/calls/{id}/previous',
    id: 'readPreviousCalls',
    summary: 'The calls before with the number of a call',
    description:
      'Whoever of the company had them, with what was noted, and which agent spoke last. ' +
      'For supervisors, admins and dialers of any call that they see; ' +
      'for an agent of the own call while it rings, lasts or is wrapped up, and for a minute after it, ' +
      'else `role_required`. A withheld number has none.',
    tag: 'Calls',
    access: anyToken,
    params: idInPath,
    answers: { 200: previousCallsView },
    refusals: ['not_found', 'role_required', 'wrong_company'],
    handler: async ({ services, principal, params }) =>
      replyWith(200, await readPreviousCalls(services, principal, toId<CallId>(params.id))),
  }),
  route({
    method: 'patch',
    path: '/api/calls/{id}',
    id: 'changeCall',
    summary: 'Attach a recording, or correct how a call was wrapped up',
    description:
      'For a PBX with the company’s key, supervisors and admins. ' +
      'A correction is told by the webhook `disposition` and in the CRM’s log anew; ' +
      'what it was before stays in the call’s history.',
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
    method: 'patch',
    path: '/api/calls',
    id: 'changeCallBySipCallId',
    summary: 'Attach a recording by SIP’s Call-ID',
    description:
      'As `changeCall`, of the call that SIP calls so at the softphone: of one INVITE that rang at several ' +
      'telephones, the call that was answered, else the latest.',
    tag: 'Calls',
    access: keyOrSupervisor,
    query: changeCallsQuery,
    body: changeCallRequest,
    answers: { 200: callView },
    refusals: ['not_found', 'conflict'],
    handler: async ({ services, principal, query, body }) => {
      const changed = await changeRecordBySipCallId(services, principal, query.sip_call_id, body);
      return changed.kind === 'refused' ? changed : reply(200, writtenCall(changed.value));
    },
  }),
  route({
    method: 'put',
    path: '/api/calls/{id}/notes',
    id: 'saveCallNotes',
    summary: 'Keep what is noted and chosen of a call so far',
    description:
      'From the first ring until the call is wrapped up: `notes_draft`, `tags`, ' +
      '`code_draft` and `callback_at_draft` of the call. The wrap-up is what is submitted; ' +
      'tags that it leaves out stay.',
    tag: 'Calls',
    access: softphoneToken,
    params: idInPath,
    body: saveNotesRequest,
    answers: { 204: null },
    refusals: ['not_found', 'wrong_company', 'conflict'],
    handler: async ({ services, principal, params, body }) => {
      const saved = await saveNotes(services, principal, toId<CallId>(params.id), body);
      return saved.kind === 'refused' ? saved : reply(204, null);
    },
  }),
  route({
    method: 'get',
    path: '/api/calls/{id}/conversation',
    id: 'readConversation',
    summary: 'The calls of a conversation',
    description:
      'From the call that began it: each call of a colleague to whom it was handed on, ' +
      'or who was asked about it, as far as the caller sees that colleague’s calls.',
    tag: 'Calls',
    access: anyToken,
    params: idInPath,
    answers: { 200: conversation },
    refusals: ['not_found', 'wrong_company'],
    handler: async ({ services, principal, params }) =>
      replyWith(200, await readConversation(services, principal, toId<CallId>(params.id))),
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
    handler: async ({ services, principal, params }) =>
      replyWith(200, await listCorrections(services, principal, toId<CallId>(params.id))),
  }),
  route({
    method: 'get',
    path: '/api/calls/{id}/steps',
    id: 'listCallSteps',
    summary: 'What happened in a call, step by step',
    description:
      'With who did each, and how long it lasted: also each time that the call was on hold, 100 times at most. ' +
      'An agent sees the own calls.',
    tag: 'Calls',
    access: anyToken,
    params: idInPath,
    answers: { 200: callCourse },
    refusals: ['not_found', 'wrong_company'],
    handler: async ({ services, principal, params }) =>
      replyWith(200, await readCourse(services, principal, toId<CallId>(params.id))),
  }),
  route({
    method: 'get',
    path: '/api/calls/{id}/deliveries',
    id: 'listCallDeliveries',
    summary: 'What was sent of a call to the webhook and the CRM',
    description:
      'The latest first, at most 100: how far each is and what status was answered last. ' +
      'What was sent, and the answers themselves, are for admins in the delivery log.',
    tag: 'Calls',
    access: supervisorToken,
    params: idInPath,
    answers: { 200: callDeliveryList },
    refusals: ['not_found', 'wrong_company'],
    handler: async ({ services, principal, params }) =>
      replyWith(200, await listDeliveriesOf(services, principal, toId<CallId>(params.id))),
  }),
  route({
    method: 'post',
    path: '/api/calls/{id}/disposition',
    id: 'submitDisposition',
    summary: 'Wrap up a call',
    tag: 'Calls',
    access: softphoneToken,
    params: idInPath,
    body: dispositionRequest,
    answers: { 200: callView },
    refusals: ['not_found', 'wrong_company', 'conflict'],
    handler: async ({ services, principal, params, body }) => {
      const wrapped = await submitDisposition(services, principal, toId<CallId>(params.id), body);
      return wrapped.kind === 'refused' ? wrapped : reply(200, writtenCall(wrapped.value));
    },
  }),
  route({
    method: 'post',
    path: '/api/calls/{id}/left',
    id: 'leaveCall',
    summary: 'End the call of a softphone that was closed',
    description:
      'For a softphone that is closed in the middle of a call, ' +
      'after it has hung up: the call ends at once as `failed` with `softphone_lost`, ' +
      'not when the gateway gives the ' +
      'softphone up. One that may come back, as a page that is reloaded, does not say so.',
    tag: 'Calls',
    access: softphoneToken,
    params: idInPath,
    body: leaveCallRequest,
    answers: { 204: null },
    refusals: ['not_found', 'wrong_company', 'session_replaced'],
    handler: async ({ services, principal, params, body }) => {
      const left = await leaveCall(services, principal, toId<CallId>(params.id), toId<SessionId>(body.session));
      return left.kind === 'refused' ? left : reply(204, null);
    },
  }),
  route({
    method: 'post',
    path: '/api/calls/{id}/record',
    id: 'chooseRecord',
    summary: 'Choose who the customer is',
    description:
      'Where several records of the CRM have the number of a call: one of its screen pop’s `candidates`. ' +
      'Possible during the call and after it; another one may be chosen later. ' +
      'What else the CRM knows of it follows in the call.',
    tag: 'Calls',
    access: softphoneToken,
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
