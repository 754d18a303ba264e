import type { ImportView } from '../../../src/contract/imports.ts';
import type { Gateway, TestCompany } from '../gateway/gateway.ts';
import { eventually } from '../time/waiting.ts';

/** What an admin does with imports, at one gateway. */
export function importRoom(gateway: () => Gateway, company: () => TestCompany) {
  const admin = () => gateway().as(company());
  const upload = (file: string | Buffer, query = '') =>
    admin()
      .post(`/api/crm/imports${query}`)
      .set('Content-Type', 'text/csv')
      .send(Buffer.from(file) as unknown as object);
  const read = async (id: string): Promise<ImportView> =>
    (await admin().get(`/api/crm/imports/${id}`).expect(200)).body;
  /** Until nobody works on it. */
  async function finished(id: string): Promise<ImportView> {
    let latest = await read(id);
    await eventually(async () => {
      latest = await read(id);
      return !['checking', 'running', 'undoing'].includes(latest.state);
    });
    return latest;
  }
  async function run(id: string, dryRun = false): Promise<ImportView> {
    await admin().post(`/api/crm/imports/${id}/runs`).send({ dry_run: dryRun }).expect(202);
    return finished(id);
  }
  return {
    admin,
    upload,
    read,
    finished,
    run,
    /** Uploads, with the mapping that is suggested or another, and runs. */
    async importFile(file: string | Buffer, change: object | null = null): Promise<ImportView> {
      const { body } = await upload(file).expect(201);
      if (change !== null) await admin().patch(`/api/crm/imports/${body.id}`).send(change).expect(200);
      return run(body.id);
    },
    rows: async (id: string, query = '') =>
      (await admin().get(`/api/crm/imports/${id}/rows${query}`).expect(200)).body.rows,
    contacts: async (query = '') =>
      (await admin().get(`/api/crm/contacts?limit=200${query}`).expect(200)).body.contacts,
    async undo(id: string): Promise<ImportView> {
      await admin().post(`/api/crm/imports/${id}/undo`).expect(202);
      return finished(id);
    },
  };
}
