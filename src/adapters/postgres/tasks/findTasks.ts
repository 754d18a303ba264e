import type { Pool } from 'pg';
import type { TaskSort } from '../../../contract/tasks.ts';
import { type CompanyId, firstId, lastId, type TaskId } from '../../../domain/ids.ts';
import type { ShownTask } from '../../../domain/tasks.ts';
import type { Page, PageRequest } from '../../../ports/queryResults.ts';
import type { TaskFilter, TaskScope } from '../../../ports/tasks.ts';
import { leadsTo, ownerOf, soleContact } from '../contacts/findContacts.ts';
import { Prisma } from '../generated/client.ts';
import { fieldColumns, run, type Statement } from '../queries.ts';
import { filteredName } from '../sortedPage.ts';

/** SQL: whether anybody is seen who has the number of a task; null: nobody has it. $1 company id, $3 the agent. */
const isAnySharerSeen = `(SELECT bool_or($3::uuid IS NULL OR s.owner_id IS NULL OR s.owner_id = $3)
  FROM contact_phone n JOIN contact s ON s.company_id = $1 AND s.id = n.contact_id
    WHERE n.company_id = $1 AND n.phone = t.phone)`;

/**
 * Tasks with whom they are about, as far as they are seen. $1 company id, $2 the agents whose tasks are seen beside
 * nobody's, $3 the agent whose contacts are seen beside nobody's; null: all are. Of nobody's tasks those alone whose
 * contact is seen. A number that several contacts share is about none of them.
 */
const seenTasks = `FROM task t
  LEFT JOIN LATERAL (
    SELECT c.id, c.name, c.owner_id, c.time_zone, c.do_not_call,
      ($3::uuid IS NULL OR c.owner_id IS NULL OR c.owner_id = $3) AS is_seen
    FROM contact c WHERE c.company_id = $1
      AND c.id = coalesce(t.contact_id, ${soleContact('t.phone')})
  ) c ON true
  WHERE t.company_id = $1 AND ($2::uuid[] IS NULL OR t.assignee_id = ANY ($2) OR t.assignee_id IS NULL
    AND c.is_seen IS NOT FALSE AND (c.id IS NOT NULL OR ${isAnySharerSeen} IS NOT FALSE))`;

/** The columns of ShownTask. A task without a number of its own is of its contact's primary one. */
const columns = `${fieldColumns(Prisma.TaskScalarFieldEnum, { but: ['phone', 'remindAt'], of: 't' })},
  coalesce(t.phone, (SELECT p.phone FROM contact_phone p WHERE p.company_id = $1 AND p.contact_id = t.contact_id
    ORDER BY p.is_primary DESC, p.position LIMIT 1)) AS phone,
  (SELECT a.name FROM agent a WHERE a.company_id = $1 AND a.id = t.assignee_id) AS "assigneeName",
  CASE WHEN c.is_seen THEN json_build_object('id', c.id, 'name', c.name, 'ownerId', c.owner_id, 'timeZone', c.time_zone,
    'doNotCall', c.do_not_call) END AS contact`;

/** $4 task id. */
export const findTask = { name: 'find_task', text: `SELECT ${columns} ${seenTasks} AND t.id = $4` };

export async function taskById(
  pool: Pool,
  companyId: CompanyId,
  scope: TaskScope,
  id: TaskId,
): Promise<ShownTask | undefined> {
  const [row] = await run<ShownTask>(pool, findTask, [companyId, scope.agentIds, ownerOf(scope.contacts), id]);
  return row;
}

/** The condition of each filter, on its parameter. */
const conditions: Record<Exclude<keyof TaskFilter, 'state'> | 'nobodys', (parameter: string) => string> = {
  assigneeId: (p) => `t.assignee_id = ${p}`,
  nobodys: (p) => `${p}::bool AND t.assignee_id IS NULL`,
  contactId: (p) =>
    `(t.contact_id = ${leadsTo(p)} OR t.contact_id IS NULL
      AND t.phone IN (SELECT phone FROM contact_phone WHERE company_id = $1 AND contact_id = ${leadsTo(p)}))`,
  kind: (p) => `t.kind = ${p}`,
  calls: (p) =>
    `(t.phone = ${p} OR t.contact_id IN (SELECT contact_id FROM contact_phone WHERE company_id = $1 AND phone = ${p}))`,
  dueFrom: (p) => `t.due_at >= ${p}`,
  dueUntil: (p) => `t.due_at < ${p}`,
};

const filterNames = Object.keys(conditions);

type Filtered = { given: string[]; wheres: string; values: unknown[] };

/** @param first the number of the first parameter */
function filtered({ state, assigneeId, ...others }: TaskFilter, first: number): Filtered {
  const whose: [keyof typeof conditions, unknown] =
    assigneeId === null ? ['nobodys', true] : ['assigneeId', assigneeId];
  const given = [
    ...(assigneeId === undefined ? [] : [whose]),
    ...(Object.entries(others) as [keyof typeof others, unknown][]).filter(([, value]) => value !== undefined),
  ];
  const wheres = given.map(([name], index) => ` AND ${conditions[name](`$${String(first + 1 + index)}`)}`);
  return {
    given: given.map(([name]) => name),
    wheres: ` AND t.state = $${String(first)}${wheres.join('')}`,
    values: [state, ...given.map(([, value]) => value)],
  };
}

/** Before every task, and behind every one. */
const ends = {
  '>': ['0001-01-01T00:00:00Z', firstId],
  '<': ['infinity', lastId],
} as const;

function placeOf(cursor: string | null, sign: '>' | '<'): readonly [at: Date | string, id: string] {
  const [ms, id] = cursor?.split('_') ?? [];
  return ms === undefined || id === undefined ? ends[sign] : [new Date(Number(ms)), id];
}

const sorts = {
  due: { by: 't.due_at', at: ({ dueAt }: ShownTask) => dueAt },
  created: { by: 't.created_at', at: ({ createdAt }: ShownTask) => createdAt },
};

/** One statement for each set of filters and way to sort, so that each has a plan of its own. */
export async function listTasks(
  pool: Pool,
  companyId: CompanyId,
  scope: TaskScope,
  filter: TaskFilter,
  sort: TaskSort,
  { cursor, limit }: PageRequest,
): Promise<Page<ShownTask>> {
  const { given, values, wheres } = filtered(filter, 7);
  const name = sort.replace('-', '') as keyof typeof sorts;
  const { at, by } = sorts[name];
  const [sign, order] = sort.startsWith('-') ? (['<', 'DESC'] as const) : (['>', 'ASC'] as const);
  const statement: Statement = {
    name: filteredName(`list_tasks_${sort.replace('-', 'down_')}`, filterNames, given),
    // One plan for all companies would sort all that the largest has ever had to do.
    ...(name === 'created' ? { planEachTime: true as const } : {}),
    text: `SELECT ${columns} ${seenTasks} AND (${by}, t.id) ${sign} ($4, $5::uuid)${wheres}
      ORDER BY ${by} ${order}, t.id ${order} LIMIT $6`,
  };
  const rows = await run<ShownTask>(pool, statement, [
    companyId,
    scope.agentIds,
    ownerOf(scope.contacts),
    ...placeOf(cursor, sign),
    limit + 1,
    ...values,
  ]);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    nextCursor: rows.length > limit && last !== undefined ? `${String(at(last).getTime())}_${last.id}` : null,
  };
}

export async function countTasks(
  pool: Pool,
  companyId: CompanyId,
  scope: TaskScope,
  filter: TaskFilter,
  atMost: number,
): Promise<number> {
  const { given, values, wheres } = filtered(filter, 5);
  const statement: Statement = {
    name: filteredName('count_tasks', filterNames, given),
    text: `SELECT count(*) AS count FROM (SELECT ${seenTasks}${wheres} LIMIT $4) counted`,
  };
  const [row] = await run<{ count: number }>(pool, statement, [
    companyId,
    scope.agentIds,
    ownerOf(scope.contacts),
    atMost,
    ...values,
  ]);
  return row?.count ?? 0;
}
