import { readFileSync } from 'node:fs';
import type { DuplicateList } from '../../src/contract/duplicates.ts';
import type { ImportView } from '../../src/contract/imports.ts';
import type { Row } from '../report/rows.ts';
import { nameOf, numberOf, organisationOf } from '../room/contacts.ts';
import { startGateway } from '../room/restStacks.ts';
import { type BenchCase, importGoals } from './case.ts';

/** How often the import is asked how far it is. Milliseconds. */
const pollMs = 100;
/** How often the gateway's memory is looked at. Milliseconds. */
const memoryMs = 50;
const organisations = 500;

/**
 * One file into one company: upload, dry run, run, the look for duplicates, export and undo,
 * each with its time and the memory that it takes beyond an idle gateway's. Once.
 */
export const importsCase: BenchCase = {
  name: 'imports',
  async run(room, plan) {
    const company = await room.company({ customers: 0, agents: 1, role: 'admin' });
    const { url, pid } = await startGateway(room, company);
    const authorization = `Bearer ${company.agents[0]?.token ?? ''}`;
    const rows: Row[] = [];

    async function ask(method: string, path: string, body?: { type: string; text: string }): Promise<Response> {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { authorization, ...(body === undefined ? {} : { 'content-type': body.type }) },
        ...(body === undefined ? {} : { body: body.text }),
      });
      if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
      return answer;
    }

    const idle = residentMiB(pid);
    async function measure<T>(what: string, goal: Row['goal'], work: () => Promise<T>): Promise<T> {
      let peak = residentMiB(pid);
      const timer = setInterval(() => (peak = Math.max(peak, residentMiB(pid))), memoryMs);
      try {
        const begun = performance.now();
        const result = await work();
        rows.push({ what, unit: 's', readyline: [(performance.now() - begun) / 1_000], bare: null, goal });
        rows.push({
          what: `${what}: memory beyond an idle gateway’s`,
          unit: 'MiB',
          readyline: [Math.max(0, peak - idle)],
          bare: null,
          goal: goal && importGoals.memory,
        });
        return result;
      } finally {
        clearInterval(timer);
      }
    }

    /** Begins work on the import and waits until it has ended as it should. */
    async function work(id: string, path: string, sent: object, ends: ImportView['state']): Promise<ImportView> {
      await ask('POST', `/api/crm/imports/${id}/${path}`, { type: 'application/json', text: JSON.stringify(sent) });
      for (;;) {
        const one = (await (await ask('GET', `/api/crm/imports/${id}`)).json()) as ImportView;
        if (one.state === ends) return one;
        if (!['checking', 'running', 'undoing'].includes(one.state)) throw new Error(`the import is ${one.state}`);
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
    }

    const text = fileOf(plan.importRows);
    const { id } = (await measure('upload', null, async () =>
      (await ask('POST', '/api/crm/imports', { type: 'text/csv', text })).json(),
    )) as ImportView;
    const checked = await measure('dry run', importGoals.check, () => work(id, 'runs', { dry_run: true }, 'checked'));
    const done = await measure('run', importGoals.run, () => work(id, 'runs', {}, 'done'));
    for (const { counts } of [checked, done]) {
      if (counts.created !== plan.importRows)
        throw new Error(`of ${plan.importRows} rows ${counts.created} were created`);
    }
    await measure('comparing the contacts with each other, behind the run', null, async () => {
      while (((await (await ask('GET', '/api/crm/duplicates?limit=1')).json()) as DuplicateList).comparing)
        await new Promise((resolve) => setTimeout(resolve, pollMs));
    });
    await measure('export of the contacts', null, async () =>
      (await ask('GET', '/api/crm/exports/contacts.csv')).arrayBuffer(),
    );
    const { counts } = await measure('undo', null, () => work(id, 'undo', {}, 'undone'));
    if (counts.undone !== plan.importRows)
      throw new Error(`of ${plan.importRows} rows ${counts.undone} were taken back`);
    return rows;
  },
};

/** A file as companies have them: everybody with a number, an address, tags and one of 500 organisations. */
function fileOf(rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, n) => `C-${n},${nameOf(n)},${numberOf(n)},p${n}@example.com,${organisationOf(n % organisations)},a;b`,
  );
  return `external id,name,phone,email,company,tags\n${lines.join('\n')}\n`;
}

/** What a process has in memory. */
function residentMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}
