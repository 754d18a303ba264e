import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../demo/cluster/program.ts';
import { createCompanyStore } from '../../../src/adapters/postgres/companies/companyStore.ts';
import { applyMigrations } from '../../../src/adapters/postgres/migrations.ts';
import { createPool, createPrisma } from '../../../src/adapters/postgres/pool.ts';
import { usualSettings } from '../../../src/contract/companySettings.ts';
import { createDatabase } from '../../support/stores/postgres.ts';

const migrations = join(root, 'prisma/migrations');
const before = ['0001_baseline', '20261127200000_deliveries_of_a_call'];
const settingsOfACompany = '20261128000000_settings_of_a_company';

it('takes what companies had chosen into their settings, and nothing that they had not', async () => {
  const database = await createDatabase({ empty: true });
  const folder = await mkdtemp(join(tmpdir(), 'readyline-migrations-'));
  const pool = createPool({ url: database.url, max: 1, applicationName: 'settings test' });
  const prisma = createPrisma(pool);
  try {
    for (const name of before) await cp(join(migrations, name), join(folder, name), { recursive: true });
    expect(await applyMigrations(pool, folder)).toEqual(before);
    await pool.query(`INSERT INTO company (id, slug, name, updated_at, wrap_up_seconds, wrap_up_max_seconds, language,
      contact_scope, callback_assignee,
        listening, dispositions, tags, free_tags, wallboard_limits, not_ready_reasons, speed_dials, preview_dial,
        skip_reasons) VALUES
      ('00000000-0000-7000-8000-000000000001', 'a', 'A', now(), 5, 60, 'de', 'own', 'anyone', 'off',
        '[{"code":"z","label":"Z"},{"code":"callback","label":"C"},{"code":"a","label":"A",'
        '"requires_callback_at":true}]',
        '[{"code":"vip","label":"VIP"}]', true, '{"wrap_up_seconds":null,"on_call_seconds":900}',
        '[{"code":"yoga","label":"Yoga"}]',
        '[{"name":"Help","phone_number":"+15551239999"}]', true,
        '[{"code":"later","label":"Later","again_minutes":null}]'),
      ('00000000-0000-7000-8000-000000000002', 'b', 'B', now(), 30, 600, NULL, 'company', 'agent', 'visible',
        '[{"code":"sold","label":"Sold"}]', '[]',
        false, NULL, '[]', NULL, false, NULL)`);
    await cp(join(migrations, settingsOfACompany), join(folder, settingsOfACompany), { recursive: true });
    expect(await applyMigrations(pool, folder)).toEqual([settingsOfACompany]);
    const { rows } = await pool.query<{ settings: object }>('SELECT settings FROM company ORDER BY slug');
    expect(rows.map(({ settings }) => settings)).toEqual([
      {
        wrap_up_seconds: 5,
        wrap_up_max_seconds: 60,
        language: 'de',
        contact_scope: 'own',
        callback_assignee: 'anyone',
        listening: 'off',
        dispositions: [
          { code: 'z', label: 'Z', requires_callback_at: false },
          { code: 'callback', label: 'C', requires_callback_at: true },
          { code: 'a', label: 'A', requires_callback_at: true },
        ],
        tags: [{ code: 'vip', label: 'VIP' }],
        free_tags: true,
        wallboard_limits: { wrap_up_seconds: null, on_call_seconds: 900 },
        not_ready_reasons: [{ code: 'yoga', label: 'Yoga' }],
        speed_dials: [{ name: 'Help', phone_number: '+15551239999' }],
        preview_dial: true,
        skip_reasons: [{ code: 'later', label: 'Later', again_minutes: null }],
      },
      {
        wrap_up_seconds: 30,
        wrap_up_max_seconds: 600,
        contact_scope: 'company',
        callback_assignee: 'agent',
        listening: 'visible',
        dispositions: [{ code: 'sold', label: 'Sold', requires_callback_at: false }],
        tags: [],
        free_tags: false,
        not_ready_reasons: [],
        preview_dial: false,
      },
    ]);
    await pool.query('INSERT INTO integration (company_id, updated_at) SELECT id, now() FROM company');
    const [, plain] = await createCompanyStore({ pool, prisma }).list();
    expect(plain?.settings).toEqual({
      ...usualSettings,
      dispositions: [{ code: 'sold', label: 'Sold', requires_callback_at: false }],
    });
  } finally {
    await prisma.$disconnect();
    await pool.end();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
});
