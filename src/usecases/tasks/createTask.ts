import type { CreateTaskRequest, TaskView } from '../../contract/tasks.ts';
import type { Principal } from '../../domain/access.ts';
import { type Contact, primaryOf } from '../../domain/contacts.ts';
import { type AgentId, type TaskId, toId } from '../../domain/ids.ts';
import { hasOffset, instantMeant } from '../../domain/localTime.ts';
import { ok, type Outcome, refuse, type Refused } from '../../domain/outcome.ts';
import type { ShownTask, Task } from '../../domain/tasks.ts';
import { type Created, createOnce, keyTakenOver, type Remember } from '../concurrency/createOnce.ts';
import { scopeOf } from '../contacts/contactScope.ts';
import { atPhoneNumber, readPhone } from '../screenPops/lookUp.ts';
import type { Services } from '../services.ts';
import { taskView } from './taskViews.ts';

type AgentPrincipal = Extract<Principal, { kind: 'agent' }>;
type Needs = Pick<
  Services,
  | 'agents'
  | 'clock'
  | 'contacts'
  | 'forget'
  | 'idempotency'
  | 'newId'
  | 'retries'
  | 'companyOf'
  | 'tasks'
  | 'wakeReminders'
>;

/**
 * Sets a task: the caller's own where the request does not say whose; a dialer's are anyone's.
 * Refuses what is no phone number, and a contact or agent that is none of the company or not shown to the caller.
 * @param idempotencyKey the first answer under this key is given again for 24 h
 */
export async function createTask(
  services: Needs,
  principal: AgentPrincipal,
  body: CreateTaskRequest,
  idempotencyKey: string | null,
): Promise<Outcome<Created<TaskView>>> {
  return createOnce(services, principal, { path: '/api/crm/tasks', body, idempotencyKey }, (remember) =>
    make(services, principal, body, remember),
  );
}

async function make(
  services: Needs,
  principal: AgentPrincipal,
  body: CreateTaskRequest,
  remember: Remember | undefined,
): Promise<Outcome<TaskView>> {
  const { companyId } = principal;
  const contact = await contactOf(services, principal, body.contact_id);
  if (contact.kind === 'refused') return contact;
  const phone = body.phone_number === undefined ? ok(null) : await readPhone(services, companyId, body.phone_number);
  if (phone.kind === 'refused') return atPhoneNumber(phone);
  const asking = principal.role === 'dialer' ? null : principal.agentId;
  const assignee = await readAssignee(services, principal, body.assignee_id === undefined ? asking : body.assignee_id);
  if (assignee.kind === 'refused') return assignee;
  const about = contact.value;
  const toCall = phone.value ?? (about === null ? null : (primaryOf(about.phones)?.phone ?? null));
  const kind = body.kind ?? (toCall === null ? 'task' : 'callback');
  if (kind === 'callback' && toCall === null)
    return lacking('phone_number', 'nobody_to_call', 'a callback needs somebody to call');
  if (kind === 'task' && body.title === undefined) return lacking('title', 'required', 'is required for a task');
  const at = new Date(services.clock.now());
  const known = body.time_zone ?? about?.timeZone ?? null;
  if (known === null && !hasOffset(body.due_at))
    return lacking('time_zone', 'required', 'is required for a time without offset');
  const timeZone = known ?? 'UTC';
  const task: Task = {
    companyId,
    id: toId<TaskId>(services.newId()),
    kind,
    title: body.title ?? null,
    notes: body.notes ?? null,
    contactId: about?.id ?? null,
    phone: phone.value,
    dueAt: instantMeant(body.due_at, timeZone),
    timeZone,
    assigneeId: assignee.value?.id ?? null,
    state: 'open',
    callId: null,
    firedAt: null,
    createdBy: principal.agentId,
    skips: [],
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  const shown: ShownTask = {
    ...task,
    phone: toCall,
    contact:
      about === null
        ? null
        : {
            id: about.id,
            name: about.name,
            ownerId: about.owner?.id ?? null,
            timeZone: about.timeZone,
            doNotCall: about.doNotCall,
          },
    assigneeName: assignee.value?.name ?? null,
  };
  const view = taskView(shown);
  switch (await services.tasks.create(task, remember === undefined ? undefined : { ...remember, body: view })) {
    case 'written':
      if (!(await services.companyOf(companyId)).hasTasks) services.forget(companyId);
      services.wakeReminders();
      return ok(view);
    case 'not_written':
      return keyTakenOver;
    case 'unknown':
      return notOfCompany('contact_id');
  }
}

/** The contact that is named, as far as the caller sees it. */
async function contactOf(
  services: Needs,
  principal: Principal,
  id: string | undefined,
): Promise<Outcome<Contact | null>> {
  if (id === undefined) return ok(null);
  const found = await services.contacts.find(principal.companyId, await scopeOf(services, principal), toId(id));
  return found === null ? notOfCompany('contact_id') : ok(found);
}

/** An agent of the company that works there. Null: anyone. */
export async function readAssignee(
  { agents }: Pick<Services, 'agents'>,
  { companyId }: Principal,
  id: string | null,
): Promise<Outcome<{ id: AgentId; name: string } | null>> {
  if (id === null) return ok(null);
  const found = await agents.find(companyId, toId<AgentId>(id));
  return found.kind === 'found' && found.value.active
    ? ok({ id: found.value.id, name: found.value.name })
    : notOfCompany('assignee_id');
}

function notOfCompany(path: 'assignee_id' | 'contact_id'): Refused {
  return refuse('invalid_request', 'A reference leads nowhere.', {
    errors: [{ path, message: 'is none of the company', code: 'not_of_company' }],
  });
}

function lacking(path: string, code: 'nobody_to_call' | 'required', message: string): Refused {
  return refuse('invalid_request', `The task does not fit: ${path} ${message}.`, { errors: [{ path, message, code }] });
}
