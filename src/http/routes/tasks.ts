import {
  createTaskRequest,
  listTasksQuery,
  skipTaskRequest,
  taskList,
  taskView,
  updateTaskRequest,
} from '../../contract/tasks.ts';
import { anyToken } from '../../domain/access.ts';
import { changeTask, takeTask } from '../../usecases/tasks/changeTask.ts';
import { createTask } from '../../usecases/tasks/createTask.ts';
import { listTasks, readTask } from '../../usecases/tasks/readTasks.ts';
import { skipTask } from '../../usecases/tasks/skipTask.ts';
import { changing, creating, expectedVersion, replayHeaders, replyCreated } from '../changeHeaders.ts';
import { idInPath, reply, replyWith, route } from '../route.ts';

const tag = 'Tasks';

export const taskRoutes = [
  route({
    method: 'get',
    path: '/api/crm/tasks',
    id: 'listTasks',
    summary: 'Tasks and callbacks',
    description: 'An agent sees its own and those of nobody, everyone else all.',
    tag,
    access: anyToken,
    share: 'lists',
    query: listTasksQuery,
    answers: { 200: taskList },
    handler: async ({ services, principal, query }) => reply(200, await listTasks(services, principal, query)),
  }),
  route({
    method: 'post',
    path: '/api/crm/tasks',
    id: 'createTask',
    summary: 'Set a task or callback',
    description:
      'It is the caller’s own where `assignee_id` is left out. ' +
      'When it is due, it pops in the softphone of whoever has it, ' +
      'or of everybody who is Ready where nobody has it.',
    tag,
    access: anyToken,
    headers: creating,
    body: createTaskRequest,
    answers: { 201: taskView },
    answerHeaders: replayHeaders,
    refusals: ['invalid_phone', 'idempotency_in_progress', 'idempotency_mismatch'],
    handler: async ({ services, principal, body, headers }) =>
      replyCreated(await createTask(services, principal, body, headers['idempotency-key'] ?? null)),
  }),
  route({
    method: 'get',
    path: '/api/crm/tasks/{id}',
    id: 'readTask',
    summary: 'One task',
    tag,
    access: anyToken,
    params: idInPath,
    answers: { 200: taskView },
    refusals: ['not_found'],
    handler: async ({ services, principal, params }) => replyWith(200, await readTask(services, principal, params.id)),
  }),
  route({
    method: 'patch',
    path: '/api/crm/tasks/{id}',
    id: 'updateTask',
    summary: 'Reschedule, snooze, finish, cancel or hand over a task',
    description:
      'Another time is announced anew. An agent changes and hands over its own and takes nobody’s; ' +
      'supervisors and admins change all.',
    tag,
    access: anyToken,
    params: idInPath,
    headers: changing,
    body: updateTaskRequest,
    answers: { 200: taskView },
    refusals: ['not_found', 'conflict'],
    handler: async ({ services, principal, params, headers, body }) =>
      replyWith(200, await changeTask(services, principal, params.id, body, expectedVersion(headers, body))),
  }),
  route({
    method: 'post',
    path: '/api/crm/tasks/{id}/take',
    id: 'takeTask',
    summary: 'Take a task that nobody has yet',
    description:
      'The first has it. To agents who come later it is not there any more (404), ' +
      'supervisors hear who has it (409, `task_taken`).',
    tag,
    access: anyToken,
    params: idInPath,
    answers: { 200: taskView },
    refusals: ['not_found', 'conflict'],
    handler: async ({ services, principal, params }) => replyWith(200, await takeTask(services, principal, params.id)),
  }),
  route({
    method: 'post',
    path: '/api/crm/tasks/{id}/skip',
    id: 'skipTask',
    summary: 'Skip a call that is to be made, with a reason',
    description:
      'The reason, one of the company’s, says when it is due again, or that it is canceled. ' +
      'It stands on the task (`skips`) and on the timeline of whoever was to be called.',
    tag,
    access: anyToken,
    params: idInPath,
    headers: changing,
    body: skipTaskRequest,
    answers: { 200: taskView },
    refusals: ['not_found', 'conflict'],
    handler: async ({ services, principal, params, headers, body }) =>
      replyWith(200, await skipTask(services, principal, params.id, body, expectedVersion(headers, body))),
  }),
];
