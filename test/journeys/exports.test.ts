import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importRoom } from '../support/crm/importRoom.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';

/** A cell as somebody may have written it, formulas and quotes among them. */
const cell = fc.oneof(
  fc.constantFrom(
    '',
    '',
    'Grace',
    '=1+1',
    "'=1+1",
    '+49',
    '-1',
    '@x',
    '\tx',
    'a,b',
    'a;b',
    'say "hi"',
    'two\nlines',
    'Ünïcödé',
    "'quoted'",
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !/[\p{C}\p{Cs}]/u.test(text)),
);
const phone = fc.integer({ min: 100, max: 130 }).map((n) => `+49301200${n}`);
const row = fc
  .record({
    name: cell,
    phones: fc.array(phone, { maxLength: 2 }),
    email: fc.constantFrom('', '', 'a@example.com', 'b@example.com', 'not an address'),
    tags: fc.constantFrom('', 'a', 'a,b', 'with space, x'),
    notes: cell,
    external: fc.constantFrom('', '', 'X-1', 'X-2', 'X-3'),
  })
  // Nobody is made of an external id alone, but somebody can be known by it.
  .map((given) => ({ ...given, name: given.external === '' ? given.name : `P${given.name}` }));
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const fileOf = (rows: readonly Row[]) =>
  [
    'name;phone;phone 2;email;tags;notes;external id',
    ...rows.map(({ name, phones, email, tags, notes, external }) =>
      [name, phones[0] ?? '', phones[1] ?? '', email, tags, notes, external].map(quoted).join(';'),
    ),
  ].join('\n');

/**
 * Once the third was a duplicate of the second the first time, and changed the contact of the fourth the second time.
 */
const sharedAddress: Row[] = [
  { name: 'P', phones: ['+49301200119'], email: '', tags: '', notes: '', external: 'X-2' },
  { name: 'P', phones: [], email: 'b@example.com', tags: '', notes: '', external: 'X-2' },
  { name: '', phones: ['+49301200109'], email: 'b@example.com', tags: '', notes: '', external: '' },
  { name: 'P', phones: [], email: 'b@example.com', tags: '', notes: '', external: 'X-1' },
];

describe('an export', () => {
  let gateway: Gateway;
  let company: TestCompany;
  let companies = 0;
  const {
    admin,
    contacts,
    importFile,
    rows: rowsOf,
    run,
    undo,
    upload,
  } = importRoom(
    () => gateway,
    () => company,
  );

  beforeAll(async () => {
    gateway = await startGateway('memory');
  });
  beforeEach(freshCompany);
  afterAll(() => gateway.close());

  async function freshCompany(): Promise<void> {
    companies += 1;
    company = await gateway.company({ slug: `exports-${companies}`, agents: 1, wrapUpSeconds: 3_600 });
  }
  const exported = async (what: string): Promise<string> => {
    const answer = await fetch(`${gateway.url}/api/crm/exports/${what}.csv`, {
      headers: { authorization: `Bearer ${company.adminToken}` },
    });
    expect(answer.status).toBe(200);
    // With its byte order mark, which text() takes away.
    return Buffer.from(await answer.arrayBuffer()).toString('utf8');
  };
  const plain = (list: { version: number }[]) => list.map(({ version: _version, ...rest }) => rest);

  it('holds whatever contacts hold, safe from spreadsheets, and changes nothing when it is imported', async () => {
    const [agent] = company.agents;
    await admin().post('/api/crm/fields').send({ key: 'plan', label: 'Plan', kind: 'text' }).expect(201);
    const { body: organisation } = await admin()
      .post('/api/crm/organisations')
      .send({ name: 'Navy; "Inc"' })
      .expect(201);
    const body = {
      name: '=HYPERLINK("http://evil.example")',
      phones: [
        { phone_number: '+4930120001', label: 'work' },
        { phone_number: '+4930120002', label: 'mobile', primary: true },
      ],
      emails: [{ email: 'a@example.com' }],
      organisation_id: organisation.id,
      owner_id: agent!.id,
      tags: ['a,b', 'c'],
      notes: "'=two\nlines",
      external_id: 'X-1',
      do_not_call: true,
      fields: { plan: '-5' },
    };
    await admin().post('/api/crm/contacts').send(body).expect(201);
    await admin()
      .post('/api/crm/contacts')
      .send({ emails: [{ email: 'a@example.com' }] })
      .expect(201);
    const before = await contacts();
    const text = await exported('contacts');
    expect(text.split('\r\n')[0]).toBe(
      '\ufeffid,external id,name,phone,phone label,phone 2,phone 2 label,email,email label,organisation,owner,tags,' +
        'tier,language,time zone,notes,do not call,fields.plan',
    );
    expect(text).toContain(
      `"'=HYPERLINK(""http://evil.example"")",'+4930120002,mobile,'+4930120001,work,a@example.com,,"Navy; ` +
        '""Inc""",a100,"a,b;c;"',
    );
    const again = await importFile(text);
    expect(again.counts).toMatchObject({ unchanged: 2, updated: 0, created: 0, refused: 0 });
    expect(await contacts()).toEqual(before);
    await freshCompany();
    await admin().post('/api/crm/fields').send({ key: 'plan', label: 'Plan', kind: 'text' }).expect(201);
    const elsewhere = await importFile(text);
    // The other is known by its address alone, which the first has too.
    expect(elsewhere.counts).toMatchObject({ created: 1, duplicate: 1 });
    expect(await contacts()).toMatchObject([
      {
        name: body.name,
        notes: body.notes,
        tags: body.tags,
        fields: body.fields,
        do_not_call: true,
        phones: [{ phone_number: '+4930120002' }, { phone_number: '+4930120001' }],
      },
    ]);
  });

  it('and its import change nothing, imports of any file add up as their check said, change nothing the second time, and are taken back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (given) => {
        await freshCompany();
        const file = fileOf(given);
        const { body: uploaded } = await upload(file).expect(201);
        const checked = await run(uploaded.id, true);
        expect(await contacts()).toEqual([]);
        const first = await run(uploaded.id);
        // The check is right in advance, row by row.
        expect([checked.counts, checked.rows]).toEqual([first.counts, given.length]);
        const { with_remarks, ...outcomes } = first.counts;
        const { created, updated, unchanged, refused, duplicate } = outcomes;
        expect([first.state, first.done, created + updated + unchanged + refused + duplicate]).toEqual([
          'done',
          first.rows,
          first.rows,
        ]);
        const written = await contacts();
        expect(written).toHaveLength(created);
        expect((await rowsOf(first.id)).map(({ outcome }: { outcome: string }) => outcome).toSorted()).toEqual(
          Object.entries(outcomes)
            .flatMap(([outcome, count]) => Array<string>(count).fill(outcome))
            .toSorted(),
        );
        expect(await rowsOf(first.id, '?with_remarks=true')).toHaveLength(with_remarks);
        const second = await importFile(file);
        expect(second.counts).toMatchObject({ created: 0, updated: 0 });
        expect(second.done).toBe(second.rows);
        if (written.length > 0) {
          const back = await importFile(await exported('contacts'));
          expect(back.counts).toMatchObject({ created: 0, updated: 0, unchanged: created, refused: 0, duplicate: 0 });
        }
        expect(plain(await contacts())).toEqual(plain(written));
        const { counts } = await undo(first.id);
        expect([counts.undone, counts.left, (await contacts()).length]).toEqual([created + updated, 0, 0]);
      }),
      { numRuns: 6, endOnFailure: true, examples: [[sharedAddress]] },
    );
  });

  it('holds the calls with their agents and dispositions', async () => {
    const softphone = await gateway.readySoftphone(company.agents[0]!);
    const { id } = await softphone.startCall('+4930120001');
    await softphone.reportProgress(id, 'connected');
    await softphone.reportProgress(id, 'ended');
    await softphone.submitDisposition(id, { code: 'resolved', notes: '=SUM(A1)' });
    softphone.close();
    const [, line] = (await exported('calls')).split('\r\n');
    expect(line).toMatch(
      new RegExp(
        `^${id},.*,outbound,ended,'\\+4930120001,a100,Agent a100,.*,resolved,Resolved,'=SUM\\(A1\\),,,,0,,,,,,,$`,
      ),
    );
  });

  it('holds the deals of the company alone, with exact values and the names of what they are about', async () => {
    const { body: pipeline } = await admin()
      .post('/api/crm/pipelines')
      .send({
        name: 'Sales, new',
        stages: [
          { name: 'New', probability: 10 },
          { name: 'Won', outcome: 'won', probability: 100 },
        ],
      })
      .expect(201);
    const { body: contact } = await admin().post('/api/crm/contacts').send({ name: '=Grace' }).expect(201);
    const { body: organisation } = await admin()
      .post('/api/crm/organisations')
      .send({ name: 'Navy; "Inc"' })
      .expect(201);
    const [agent] = company.agents;
    const sent = {
      name: '@cmd',
      stage_id: pipeline.stages[1].id,
      value: '-900719925474099.100',
      currency: 'EUR',
      owner_id: agent!.id,
      contact_id: contact.id,
      organisation_id: organisation.id,
      expected_close: '2026-12-18',
    };
    const { body: full } = await admin().post('/api/crm/deals').send(sent).expect(201);
    const { body: bare } = await admin().post('/api/crm/deals').send({ name: 'bare', owner_id: null }).expect(201);
    const text = await exported('deals');
    expect(text.split('\r\n')).toEqual([
      '\ufeffid,name,pipeline,stage,outcome,probability,value,currency,owner_code,owner,contact_id,contact,' +
        'organisation_id,organisation,expected_close,moved_at,created_at,updated_at',
      `${full.id},'@cmd,"Sales, new",Won,won,100,'-900719925474099.1,EUR,a100,Agent a100,${contact.id},'=Grace,` +
        `${organisation.id},"Navy; ""Inc""",2026-12-18,${full.moved_at},${full.created_at},${full.updated_at}`,
      `${bare.id},bare,"Sales, new",New,open,10,,,,,,,,,,${bare.moved_at},${bare.created_at},${bare.updated_at}`,
      '',
    ]);
    await freshCompany();
    expect((await exported('deals')).split('\r\n')).toHaveLength(2);
  });

  it('holds every deal once, in order, where they are more than are read together, with no formula among them', async () => {
    const stages = [
      { name: '=New', probability: 10 },
      { name: 'Won', outcome: 'won', probability: 100 },
    ];
    await admin().post('/api/crm/pipelines').send({ name: '+Sales', stages }).expect(201);
    const starts = ['=', '+', '-', '@', ''];
    const names = Array.from({ length: 1_203 }, (_, n) => `${starts[n % starts.length] ?? ''}deal ${n}`);
    for (let first = 0; first < names.length; first += 40) {
      await Promise.all(
        names
          .slice(first, first + 40)
          .map((name) => admin().post('/api/crm/deals').send({ name, owner_id: null }).expect(201)),
      );
    }
    const lines = (await exported('deals'))
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(','));
    expect(lines.map(([, name]) => name).toSorted()).toEqual(
      names.map((name) => (/^[=+@-]/.test(name) ? `'${name}` : name)).toSorted(),
    );
    expect(lines.map(([id]) => id)).toEqual(lines.map(([id]) => id).toSorted());
    expect(new Set(lines.map(([, , pipeline, stage]) => `${pipeline} ${stage}`))).toEqual(new Set(["'+Sales '=New"]));
    expect(lines.flat().filter((cell) => /^[=+@\-\t]/.test(cell))).toEqual([]);
  });

  it('is an admin’s', async () => {
    for (const what of ['contacts', 'calls', 'deals'])
      await gateway.as(company.agents[0]!).get(`/api/crm/exports/${what}.csv`).expect(403);
  });
});
