import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importRoom } from '../support/crm/importRoom.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { createDatabase, type TestDatabase } from '../support/stores/postgres.ts';
import { createManualClock, type ManualClock } from '../support/time/manualClock.ts';
import { passTime } from '../support/time/waiting.ts';

describe('an import of contacts', () => {
  let gateway: Gateway;
  let company: TestCompany;
  let companies = 0;
  const room = importRoom(
    () => gateway,
    () => company,
  );
  const { admin, contacts, importFile, read, rows, run, undo, upload } = room;
  const none = { created: 0, updated: 0, unchanged: 0, refused: 0, duplicate: 0, undone: 0, left: 0, with_remarks: 0 };

  beforeAll(async () => {
    gateway = await startGateway('memory');
  });
  beforeEach(async () => {
    companies += 1;
    company = await gateway.company({ slug: `imports-${companies}`, agents: 1 });
  });
  afterAll(() => gateway.close());

  it('tells delimiter, encoding, header and fields from the file, in four languages', async () => {
    const files: [string, Buffer, object][] = [
      [
        'en',
        Buffer.from(
          'First name,Last name,Mobile phone,E-mail,Company\nGrace,Hopper,+12025550101,grace@navy.example,Navy\n',
        ),
        { delimiter: ',', encoding: 'utf-8' },
      ],
      [
        'de',
        Buffer.from(
          'Vorname;Nachname;Handy;E-Mail-Adresse;Firma\nJürgen;Müller;+49301200001;j@example.org;Bäckerei\n',
          'latin1',
        ),
        { delimiter: ';', encoding: 'windows-1252' },
      ],
      [
        'es',
        Buffer.from(
          '\ufeffNombre\tApellidos\tTeléfono móvil\tCorreo electrónico\tEmpresa\n' +
            'José\tPérez\t+34600000001\tj@ejemplo.es\tÑandú\n',
          'utf16le',
        ),
        { delimiter: 'tab', encoding: 'utf-16le' },
      ],
      [
        'fr',
        Buffer.from('\ufeffPrénom|Nom|Téléphone portable|Courriel|Société\nZoé|Élan|+33600000001|z@exemple.fr|Crème\n'),
        { delimiter: '|', encoding: 'utf-8' },
      ],
    ];
    for (const [, file, told] of files) {
      const { body } = await upload(file).expect(201);
      expect(body).toMatchObject({ state: 'ready', has_header: true, rows: 1, ...told });
      expect(body.mapping.map(({ field, label }: { field: string; label: string | null }) => [field, label])).toEqual([
        ['first_name', null],
        ['last_name', null],
        ['phone', 'mobile'],
        ['email', null],
        ['organisation', null],
      ]);
      expect(await run(body.id)).toMatchObject({ state: 'done', done: 1, counts: { ...none, created: 1 } });
    }
    expect(
      (await contacts()).map(({ name, organisation }: { name: string; organisation: { name: string } }) => [
        name,
        organisation.name,
      ]),
    ).toEqual([
      ['Grace Hopper', 'Navy'],
      ['Jürgen Müller', 'Bäckerei'],
      ['José Pérez', 'Ñandú'],
      ['Zoé Élan', 'Crème'],
    ]);
  });

  it('takes a file of phone numbers alone, in national form by its country', async () => {
    const { body } = await upload('030 120001\n030 / 120 002\n').expect(201);
    expect(body).toMatchObject({ has_header: false, rows: 2, mapping: [{ column: 0, field: 'phone' }] });
    expect(await run(body.id)).toMatchObject({ counts: { ...none, refused: 2 } });
    expect(await rows(body.id)).toMatchObject([
      { row: 1, outcome: 'refused', reason: { column: 0, code: 'phone_without_country_code' } },
      { row: 2 },
    ]);
    const again = await importFile('030 120001\n030 / 120 002\n', { default_country: 'DE' });
    expect(again.counts).toEqual({ ...none, created: 2 });
    expect(
      (await contacts()).map(({ phones }: { phones: { phone_number: string }[] }) => phones[0]?.phone_number),
    ).toEqual(['+4930120001', '+4930120002']);
  });

  it('shows real rows as they would be read, and writes nothing in a dry run, which counts the same', async () => {
    const { body } = await upload(
      'name,phone,email\nGrace,+12025550101,\nAda,12,\nGRACE,+1 202 555 0101,\nBob,,bob@example.com\n',
    ).expect(201);
    const preview = (await admin().get(`/api/crm/imports/${body.id}/preview`).expect(200)).body.rows;
    expect(preview).toMatchObject([
      { row: 2, outcome: 'created', values: { name: 'Grace', phones: '+12025550101' } },
      { row: 3, outcome: 'refused', reason: { column: 1 } },
      { row: 4, outcome: 'duplicate', reason: { code: 'duplicate_of_row', params: { row: 2 } } },
      { row: 5, outcome: 'created', values: { emails: 'bob@example.com' } },
    ]);
    const checked = await run(body.id, true);
    expect(checked).toMatchObject({
      state: 'checked',
      rows: 4,
      done: 4,
      counts: { ...none, created: 2, refused: 1, duplicate: 1 },
    });
    expect(await contacts()).toEqual([]);
    expect(await run(body.id)).toMatchObject({ state: 'done', counts: checked.counts });
    expect(await contacts()).toHaveLength(2);
  });

  it('fills, overwrites or keeps as each column says; what is empty erases nothing', async () => {
    const { body: before } = await admin()
      .post('/api/crm/contacts')
      .send({ name: 'Grace', tier: 'gold', tags: ['a'], phones: [{ phone_number: '+12025550101' }] })
      .expect(201);
    const file = 'phone,name,tier,language,tags,notes\n+12025550101,GRACE,silver,de,b;c,\n+12025550102,,,,,\n';
    const one = await importFile(file, {
      mapping: [
        { column: 0, field: 'phone', label: 'work' },
        { column: 1, field: 'name', mode: 'keep' },
        { column: 2, field: 'tier', mode: 'overwrite' },
        { column: 3, field: 'language' },
        { column: 4, field: 'tags' },
        { column: 5, field: 'notes', mode: 'overwrite' },
      ],
    });
    expect(one.counts).toEqual({ ...none, created: 1, updated: 1 });
    const { body: after } = await admin().get(`/api/crm/contacts/${before.id}`).expect(200);
    expect(after).toMatchObject({
      name: 'Grace',
      tier: 'silver',
      language: 'de',
      tags: ['a', 'b', 'c'],
      phones: [{ phone_number: '+12025550101', label: 'work' }],
      version: 2,
    });
    const { body: timeline } = await admin().get(`/api/crm/activities?contact=${before.id}`).expect(200);
    expect(timeline.activities[0]).toMatchObject({
      kind: 'imported',
      text: 'contacts.csv',
      edits: [
        { field: 'phones' },
        { field: 'tags' },
        { field: 'tier', before: 'gold', after: 'silver' },
        { field: 'language' },
      ],
    });
  });

  it('knows a contact by its id, else its external id, else a number, else an address', async () => {
    const make = async (body: object) => (await admin().post('/api/crm/contacts').send(body).expect(201)).body.id;
    const byExternal = await make({ name: 'A', external_id: 'C-1' });
    const byPhone = await make({ name: 'B', phones: [{ phone_number: '+12025550102' }] });
    const byEmail = await make({ name: 'C', emails: [{ email: 'c@example.com' }] });
    const one = await importFile(
      'external id,phone,email,tier\nC-1,+12025550111,,t1\n,+12025550102,,t2\n,,C@EXAMPLE.com,t3\n' +
        'C-9,+12025550102,,t4\nC-2,+12025550102,,t5\n',
    );
    expect(await rows(one.id)).toMatchObject([
      { outcome: 'updated', contact_id: byExternal },
      { outcome: 'updated', contact_id: byPhone },
      { outcome: 'updated', contact_id: byEmail },
      // Of the customer of row 3, who has an external id from here on: whoever has another is somebody else.
      { outcome: 'updated', contact_id: byPhone },
      { outcome: 'created' },
    ]);
    expect(one.counts).toMatchObject({ updated: 4, created: 1, duplicate: 0 });
    const { body } = await admin().get(`/api/crm/contacts/${byPhone}`).expect(200);
    expect(body).toMatchObject({ external_id: 'C-9', tier: 't2' });
  });

  it('refuses a row that mixes two contacts, and names the cell, and gives the refused rows back as CSV', async () => {
    for (const phone_number of ['+12025550101', '+12025550102']) {
      await admin()
        .post('/api/crm/contacts')
        .send({ phones: [{ phone_number }] })
        .expect(201);
    }
    const one = await importFile('Name,Phone,Phone 2\n=cmd,+12025550101,+12025550102\nBad,+1 call me,\n');
    expect(one.counts).toEqual({ ...none, refused: 2 });
    expect((await rows(one.id, '?outcome=refused')).map(({ reason }: { reason: object }) => reason)).toMatchObject([
      { code: 'several_contacts' },
      { code: 'phone_with_other_characters', column: 1 },
    ]);
    const { text, headers } = await admin().get(`/api/crm/imports/${one.id}/refused.csv`).expect(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(text.split('\r\n').slice(0, 3)).toEqual([
      '\ufeffrow,reason,Name,Phone,Phone 2',
      "2,fits several contacts,'=cmd,'+12025550101,'+12025550102",
      expect.stringMatching(/^3,Phone: The phone number cannot be read: .+,Bad,'\+1 call me$/),
    ]);
  });

  const switchboard = [
    'External id,Name,Phone,Email',
    'C-1,Ada,+12025550100,ada@example.com',
    'C-2,Bob,+12025550100,bob@example.com',
    ',Carl,+12025550100,',
  ];

  it('makes everybody of a switchboard, says that they share its number, and changes nothing when it comes twice', async () => {
    await admin().put('/api/integrations').send({ mode: 'builtin' }).expect(200);
    const file = [
      ...switchboard,
      'C-1,Ada,+12025550101,',
      ',Carl,,carl@example.com',
      ',carl,+12025550100,carl@example.com',
      'C-2,Bob,+12025550100,bob@example.com',
      '',
    ].join('\n');
    const { body } = await upload(file).expect(201);
    const checked = await run(body.id, true);
    const one = await run(body.id);
    expect(one.counts).toEqual({ ...none, created: 4, updated: 1, duplicate: 2, with_remarks: 3 });
    expect(checked.counts).toEqual(one.counts);
    expect(await rows(one.id)).toMatchObject([
      { row: 2, outcome: 'created', reason: null },
      {
        row: 3,
        outcome: 'created',
        reason: null,
        remarks: [{ code: 'number_shared', params: { number: '+12025550100' } }],
      },
      { row: 4, outcome: 'created', reason: null, remarks: [{ code: 'number_shared' }] },
      { row: 5, outcome: 'updated', reason: null, remarks: [{ code: 'same_as_row', params: { row: 2 } }] },
      // Carl by his address alone, before anything tells that he is the one of the switchboard.
      { row: 6, outcome: 'created', reason: null },
      { row: 7, outcome: 'duplicate', reason: { code: 'duplicate_of_row', params: { row: 4 } } },
      { row: 8, outcome: 'duplicate', reason: { code: 'duplicate_of_row', params: { row: 3 } } },
    ]);
    const written = await contacts();
    expect(
      written.map(({ name, phones }: { name: string; phones: { phone_number: string }[] }) => [
        name,
        ...phones.map((each) => each.phone_number),
      ]),
    ).toEqual([['Ada', '+12025550100', '+12025550101'], ['Bob', '+12025550100'], ['Carl', '+12025550100'], ['Carl']]);
    const popped = await gateway.api
      .get('/api/integrations/lookup')
      .query({ phone: '+12025550100' })
      .set('X-Service-Api-Key', company.key)
      .expect(200);
    expect(popped.body.screen_pop.candidates.map(({ name }: { name: string }) => name)).toEqual(['Ada', 'Bob', 'Carl']);
    const again = await importFile(file);
    expect(again.counts).toMatchObject({ created: 0, updated: 0 });
    expect(await contacts()).toEqual(written);
  });

  it('adds to the customer of an earlier row what a later one has, however far behind, and takes all of it back', async () => {
    const { body: was } = await admin()
      .post('/api/crm/contacts')
      .send({ name: 'Ada', phones: [{ phone_number: '+12025550100' }] })
      .expect(201);
    const others = Array.from({ length: 600 }, (_, n) => `Customer ${n},+1202556${String(1_000 + n)},`);
    const first = ['name,phone,email', 'Ada,+12025550100,', 'Bob,+12025550100,', 'Bob,+12025550100,bob@example.com'];
    const one = await importFile(
      [
        ...first,
        ...others,
        'Ada,+12025550100,ada@example.com',
        'Bob,+12025550102,bob@example.com',
        'Ada,+12025550103,ada@example.com',
        '',
      ].join('\n'),
    );
    expect(one.counts).toEqual({ ...none, created: 601, unchanged: 1, updated: 4, with_remarks: 5 });
    const ada = async () => (await admin().get(`/api/crm/contacts/${was.id}`).expect(200)).body;
    expect(await ada()).toMatchObject({
      emails: [{ email: 'ada@example.com' }],
      phones: [{ phone_number: '+12025550100' }, { phone_number: '+12025550103' }],
    });
    const { body: found } = await admin().get('/api/crm/contacts?email=bob@example.com').expect(200);
    expect(found.contacts).toMatchObject([
      { name: 'Bob', phones: [{ phone_number: '+12025550100' }, { phone_number: '+12025550102' }] },
    ]);
    const undone = await undo(one.id);
    expect(undone.counts).toMatchObject({ undone: 605, left: 0 });
    expect(await contacts()).toHaveLength(1);
    expect(await ada()).toMatchObject({ name: 'Ada', emails: [], phones: [{ phone_number: '+12025550100' }] });
    expect((await rows(one.id, '?outcome=undone&limit=200')).slice(0, 2)).toMatchObject([{ row: 3 }, { row: 4 }]);
  });

  it('knows who was made by hand while it was judged', async () => {
    const make = () =>
      admin()
        .post('/api/crm/contacts')
        .send({ name: 'Ada', phones: [{ phone_number: '+12025550100' }] });
    const [one, made] = await Promise.all([importFile('name,phone\nAda,+12025550100\n'), make()]);
    expect([one.counts.created, made.status]).toEqual(one.counts.created === 1 ? [1, 409] : [0, 201]);
    expect(await contacts()).toHaveLength(1);
  });

  it('takes own fields as spreadsheets write them', async () => {
    for (const [key, kind] of [
      ['born', 'date'],
      ['score', 'number'],
      ['plan', 'choice'],
    ]) {
      await admin()
        .post('/api/crm/fields')
        .send({ key, label: `The ${key}`, kind, ...(kind === 'choice' ? { choices: ['Basic', 'Pro'] } : {}) })
        .expect(201);
    }
    const one = await importFile(
      'name,phone,The born,Score,plan,Do not call\nA,+12025550101,28.02.1990,"1,5",pro,ja\n' +
        'B,+12025550102,31.02.1990,1,pro,\n',
    );
    expect(one.counts).toEqual({ ...none, created: 2, with_remarks: 1 });
    expect(await contacts()).toMatchObject([
      { fields: { born: '1990-02-28', score: 1.5, plan: 'Pro' }, do_not_call: true },
      { fields: { score: 1, plan: 'Pro' } },
    ]);
  });

  it('changes nothing when it comes twice', async () => {
    const file =
      'name,phone,email,company,tags\nA,+12025550101,a@example.com,Navy,x\nB,,b@example.com,navy,\n' +
      'C,+12025550103;+12025550104,b@example.com,,\nA2,+12025550101,,,\n';
    const first = await importFile(file);
    const written = await contacts();
    const second = await importFile(file);
    expect(second.counts).toEqual({ ...none, unchanged: first.counts.created, duplicate: first.counts.duplicate });
    expect(await contacts()).toEqual(written);
    expect((await admin().get('/api/crm/organisations').expect(200)).body.organisations).toHaveLength(1);
  });

  it('is taken back while its contacts are as it left them; the others are left and named', async () => {
    const { body: was } = await admin()
      .post('/api/crm/contacts')
      .send({ name: 'Grace', phones: [{ phone_number: '+12025550101' }] })
      .expect(201);
    const one = await importFile(
      'phone,tier\n+12025550101,gold\n+12025550102,gold\n+12025550103,gold\n+12025550104,gold\n',
    );
    const [, second, third] = await rows(one.id);
    await admin().patch(`/api/crm/contacts/${second.contact_id}`).send({ name: 'Changed' }).expect(200);
    await admin().post('/api/crm/activities').send({ contact_id: third.contact_id, text: 'Called' }).expect(201);
    const undone = await undo(one.id);
    expect(undone).toMatchObject({ state: 'undone', counts: { created: 3, updated: 1, undone: 2, left: 2 } });
    expect(await rows(one.id, '?outcome=left')).toMatchObject([
      { row: 3, reason: { code: 'changed_since' } },
      { row: 4 },
    ]);
    const left = await contacts();
    expect(left.map(({ id }: { id: string }) => id)).toEqual([was.id, second.contact_id, third.contact_id]);
    expect(left[0]).toMatchObject({ name: 'Grace', tier: null, version: 3 });
    await admin().post(`/api/crm/imports/${one.id}/runs`).send({}).expect(409);
  });

  it('is not taken back where a deal has been attached, and takes all others back', async () => {
    const one = await importFile('name,phone\nA,+12025550101\nB,+12025550102\n');
    const [attached] = await rows(one.id);
    await admin()
      .post('/api/crm/pipelines')
      .send({ name: 'Sales', stages: [{ name: 'New' }] })
      .expect(201);
    const { body: deal } = await admin().post('/api/crm/deals').send({ name: 'Licences' }).expect(201);
    await admin().patch(`/api/crm/deals/${deal.id}`).send({ contact_id: attached.contact_id }).expect(200);
    const undone = await undo(one.id);
    expect(undone).toMatchObject({ state: 'undone', failed_work: null, counts: { created: 2, undone: 1, left: 1 } });
    expect(await contacts()).toMatchObject([{ id: attached.contact_id }]);
  });

  it('is not taken back where somebody was called since; a call from before is no reason', async () => {
    const softphone = await gateway.readySoftphone(company.agents[0]!);
    const call = async (phone: string, more: object = {}) => {
      const { id } = await softphone.startCall(phone, more);
      await softphone.reportProgress(id, 'ended');
      await softphone.submitDisposition(id, { code: 'resolved', notes: 'Interested' });
    };
    await call('+12025550101');
    const one = await importFile('name,phone\nEarlier,+12025550101\nCalled,+12025550102\nNamed,+12025550103\n');
    const [, , named] = await rows(one.id);
    await call('+12025550102');
    await gateway.click(company, { phone_number: '+12025550199', contact_id: named.contact_id }).expect(201);
    const undone = await undo(one.id);
    expect(undone.counts).toMatchObject({ created: 3, undone: 1, left: 2 });
    expect((await contacts()).map(({ name }: { name: string }) => name)).toEqual(['Called', 'Named']);
    softphone.close();
  });

  it('is refused in words where the file cannot be read, and leaves nothing', async () => {
    const refused = async (file: string | Buffer, code: string, params: object = {}) =>
      expect((await upload(file)).body.cause).toMatchObject({
        code,
        ...(Object.keys(params).length > 0 ? { params } : {}),
      });
    await refused('', 'file_empty');
    await refused('\n\n', 'file_empty');
    await refused('name\n\n"Grace', 'file_quote_not_closed', { row: 3 });
    await refused(`name\n${'x'.repeat(270_000)}\n`, 'file_row_too_long', { row: 2 });
    await refused(`name\n"${'x,y\n'.repeat(80_000)}`, 'file_row_too_long');
    await refused('a,'.repeat(10_000), 'file_too_many_columns');
    await refused(Buffer.from('504b0304140006000800', 'hex'), 'file_is_workbook');
    await refused('name\nGra\0ce\n', 'file_not_text');
    expect((await upload('name\nA\n', '?encoding=utf-16le')).body.cause).toMatchObject({
      code: 'file_not_of_encoding',
    });
    expect((await admin().post('/api/crm/imports').set('Content-Type', 'application/json').send('{}')).status).toBe(
      415,
    );
    expect((await admin().get('/api/crm/imports').expect(200)).body.imports).toEqual([]);
  });

  it('is mapped only before it is run, by whoever has read the latest version, and to fields that there are', async () => {
    const { body } = await upload('name,phone\nA,+12025550101\n').expect(201);
    const change = (sent: object, version = 2) =>
      admin().patch(`/api/crm/imports/${body.id}`).set('If-Match', String(version)).send(sent);
    expect((await change({ mapping: [{ column: 0, field: 'fields.none' }] }).expect(400)).body.errors).toMatchObject([
      { path: 'mapping[0].field', code: 'unknown_field' },
    ]);
    expect(
      (
        await change({
          mapping: [
            { column: 0, field: 'name' },
            { column: 1, field: 'name' },
          ],
        }).expect(400)
      ).body.errors,
    ).toMatchObject([{ code: 'not_unique' }]);
    await change({ mapping: [] }).expect(200);
    await change({ mapping: [] }).expect(409);
    expect((await admin().post(`/api/crm/imports/${body.id}/runs`).send({}).expect(409)).body.cause).toEqual({
      code: 'nothing_mapped',
    });
    await change({ mapping: [{ column: 1, field: 'phone' }] }, 3).expect(200);
    const done = await run(body.id);
    expect((await change({ mapping: [] }, done.version).expect(409)).body.cause).toEqual({
      code: 'import_state',
      params: { state: 'done' },
    });
    await admin().delete(`/api/crm/imports/${body.id}`).expect(204);
    await admin().get(`/api/crm/imports/${body.id}`).expect(404);
    expect(await contacts()).toHaveLength(1);
  });

  it('makes contacts of what a CRM pushed, with one click, one of the numbers of one record', async () => {
    expect((await admin().post('/api/crm/imports/from-cache').expect(409)).body.cause).toEqual({
      code: 'nothing_pushed',
    });
    const push = (phone_number: string, data: object, more: object = {}) =>
      admin()
        .post('/api/integrations/inbound')
        .send({ phone_number, ...more, data })
        .expect(200);
    await push(
      '+12025550101',
      { name: 'Grace', email: 'grace@example.com', vip_tier: 'gold' },
      { external_system: 'custom', external_id: 'C-1' },
    );
    await push('+12025550102', { name: 'Grace' }, { external_system: 'custom', external_id: 'C-1' });
    await push('+12025550103', { name: 'Ada' });
    const { body } = await admin().post('/api/crm/imports/from-cache').expect(202);
    expect(body).toMatchObject({ source: 'cache', rows: 2 });
    expect((await room.finished(body.id)).counts).toEqual({ ...none, created: 2 });
    expect(await contacts()).toMatchObject([
      {
        name: 'Grace',
        external_id: 'C-1',
        emails: [{ email: 'grace@example.com' }],
        phones: [{ phone_number: '+12025550101' }, { phone_number: '+12025550102' }],
      },
      { name: 'Ada' },
    ]);
    const again = await room.finished((await admin().post('/api/crm/imports/from-cache').expect(202)).body.id);
    expect(again.counts).toEqual({ ...none, unchanged: 2 });
  });

  it('sends no webhooks, and finds what it wrote by number, as if it had been written one by one', async () => {
    await importFile('name,phone\nGrace,+12025550101\n');
    expect(await contacts('&phone=%2B12025550101')).toMatchObject([{ name: 'Grace' }]);
    expect((await admin().get('/api/integrations/webhook-deliveries').expect(200)).body.deliveries).toEqual([]);
  });

  it('does not wait for a large one of another company', async () => {
    const { body: small } = await upload('name,phone\nA,+12025550101\n').expect(201);
    const other = await gateway.company({ slug: `imports-large-${companies}`, agents: 1 });
    const others = gateway.as(other);
    const file = `name,external id\n${Array.from({ length: 12_000 }, (_, n) => `Grace ${n},imported-${n}\n`).join('')}`;
    const { body: large } = await others
      .post('/api/crm/imports')
      .set('Content-Type', 'text/csv')
      .send(Buffer.from(file) as unknown as object)
      .expect(201);
    await others.post(`/api/crm/imports/${large.id}/runs`).send({ dry_run: true }).expect(202);
    expect(await run(small.id)).toMatchObject({ state: 'done', counts: { created: 1 } });
    expect((await others.get(`/api/crm/imports/${large.id}`).expect(200)).body.state).toBe('checking');
    await others.post(`/api/crm/imports/${large.id}/cancel`).expect(200);
  });

  it('is an admin’s, of its own company', async () => {
    const { body } = await upload('name,phone\nA,+12025550101\n').expect(201);
    const [agent] = company.agents;
    await gateway.as(agent!).get('/api/crm/imports').expect(403);
    const stranger = await gateway.company({ slug: `imports-stranger-${companies}` });
    await gateway.as(stranger).get(`/api/crm/imports/${body.id}`).expect(404);
    await gateway.as(stranger).post(`/api/crm/imports/${body.id}/runs`).send({}).expect(404);
    expect((await read(body.id)).state).toBe('ready');
  });
});

describe('an import that cannot be undone', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let clock: ManualClock;
  let gateway: Gateway;
  let company: TestCompany;
  const { admin, importFile, read, rows } = importRoom(
    () => gateway,
    () => company,
  );

  beforeAll(async () => {
    database = await createDatabase();
    pool = new pg.Pool({ connectionString: database.url, max: 1 });
    clock = createManualClock(Date.now());
    gateway = await startGateway('memory', { clock, config: { databaseUrl: database.url } });
    company = await gateway.company({ slug: 'imports-failing' });
  });
  afterAll(async () => {
    await gateway.close();
    await pool.end();
    await database.drop();
  });

  it('says so after its last try, tells what it has done, and goes on when it is begun again', async () => {
    const one = await importFile(
      `name,phone\n${Array.from({ length: 502 }, (_, n) => `Person ${n},+4930${String(1_000_000 + n)}\n`).join('')}`,
    );
    const [last] = await rows(one.id, '?after=502');
    await pool.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF OLD.id = '${last.contact_id}'
        THEN RAISE EXCEPTION 'not now'; END IF; RETURN OLD; END $$`,
    );
    await pool.query('CREATE TRIGGER refuse BEFORE DELETE ON contact FOR EACH ROW EXECUTE FUNCTION refuse()');
    await admin().post(`/api/crm/imports/${one.id}/undo`).expect(202);
    // The fifth try is the last.
    for (const ms of [0, 1_000, 5_000, 20_000]) {
      await passTime(
        clock,
        ms,
        async () =>
          (await pool.query('SELECT failures FROM import')).rows[0].failures > [0, 1_000, 5_000, 20_000].indexOf(ms),
      );
    }
    expect(await read(one.id)).toMatchObject({ state: 'undoing', failed_work: null, counts: { undone: 500 } });
    await passTime(clock, 60_000, async () => (await read(one.id)).state !== 'undoing');
    expect(await read(one.id)).toMatchObject({
      state: 'done',
      failed_work: 'undoing',
      counts: { created: 502, undone: 500, left: 0 },
    });

    await pool.query('DROP TRIGGER refuse ON contact');
    expect((await admin().post(`/api/crm/imports/${one.id}/undo`).expect(202)).body).toMatchObject({
      state: 'undoing',
      failed_work: null,
    });
    await passTime(clock, 0, async () => (await read(one.id)).state !== 'undoing');
    expect(await read(one.id)).toMatchObject({
      state: 'undone',
      failed_work: null,
      counts: { created: 502, undone: 502, left: 0 },
    });
  });
});
