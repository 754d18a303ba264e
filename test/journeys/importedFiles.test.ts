import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importRoom } from '../support/crm/importRoom.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';

type Contact = {
  name: string | null;
  phones: { phone_number: string; label: string | null }[];
  emails: { email: string; label: string | null }[];
  [field: string]: unknown;
};

describe('a file that people have', () => {
  let gateway: Gateway;
  let company: TestCompany;
  let companies = 0;
  const { admin, contacts, importFile, read, rows, run, upload } = importRoom(
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
    company = await gateway.company({ slug: `files-${companies}`, agents: 1 });
  }
  const inCountry = (default_country: string) => admin().put('/api/integrations').send({ default_country }).expect(200);
  const phonesOf = ({ phones }: Contact) =>
    phones.map(({ phone_number, label }) => (label === null ? phone_number : `${phone_number} ${label}`));
  const told = (list: Contact[]) =>
    list.map((contact) => [contact.name, ...phonesOf(contact), ...contact.emails.map(({ email }) => email)]);
  /** What the columns of a file are taken for, by their headers. */
  const mapped = ({ columns, mapping }: { columns: string[]; mapping: { column: number; field: string }[] }) =>
    Object.fromEntries(mapping.map(({ column, field }) => [columns[column], field]));

  it('says its delimiter in a first line of its own', async () => {
    const { body } = await upload('sep=;\r\nName;Phone\r\nGrace, PhD;+12025550101\r\n').expect(201);
    expect(body).toMatchObject({ delimiter: ';', columns: ['Name', 'Phone'], header_row: 2, rows: 1 });
    await run(body.id);
    expect(told(await contacts())).toEqual([['Grace, PhD', '+12025550101']]);
  });

  it('has a title and other lines above its header, which count for nothing', async () => {
    const one = await importFile(
      'Customer list as of 01.03.2026\n\nAll branches;;\nName;Phone;Revenue 2025/2026\nGrace;+12025550101;12\n' +
        'Ada;+12025550102;13\n',
    );
    expect(one).toMatchObject({
      delimiter: ';',
      columns: ['Name', 'Phone', 'Revenue 2025/2026'],
      header_row: 4,
      rows: 2,
      done: 2,
      counts: { created: 2, refused: 0 },
    });
    expect((await rows(one.id)).map(({ row }: { row: number }) => row)).toEqual([5, 6]);
    const { body } = await upload('Customers of ours\nGrace,+12025550101\nAda,+12025550102\n').expect(201);
    expect(body).toMatchObject({ has_header: false, header_row: null, columns: ['Grace', '+12025550101'], rows: 2 });
  });

  it('has line ends of several kinds', async () => {
    const one = await importFile(
      'Name,Phone\r\nGrace,+12025550101\nAda,+12025550102\rBob,"+12025550103"\r\nEve,+12025550104',
    );
    expect(one.counts).toMatchObject({ created: 4, refused: 0 });
  });

  it('has 300 empty columns at its right, or as many that nobody wants', async () => {
    const row = (cells: string) => `${cells}${','.repeat(300)}\n`;
    expect(await importFile(row('Name,Phone') + row('Grace,+12025550101'))).toMatchObject({
      columns: ['Name', 'Phone'],
      counts: { created: 1 },
    });
    const wide = (cells: string, filler: string) =>
      `${cells},${Array.from({ length: 300 }, (_, at) => `${filler} ${at}`).join(',')}\n`;
    const one = await importFile(wide('Name,Phone', 'Property') + wide('Ada,+12025550102', 'x'));
    expect([one.columns.length, one.mapping.length, one.counts.created]).toEqual([302, 2, 1]);
  });

  it('has 250,000 rows beside its header, and no more', async () => {
    const people = (count: number) => Buffer.from(`Name\n${'x\n'.repeat(count)}`);
    expect((await upload(people(250_000)).expect(201)).body).toMatchObject({ rows: 250_000, has_header: true });
    expect((await upload(people(250_001)).expect(400)).body.cause).toMatchObject({ code: 'file_too_many_rows' });
    expect((await admin().get('/api/crm/imports').expect(200)).body.imports).toHaveLength(1);
  });

  it.each(['application/vnd.ms-excel', 'application/csv', 'text/tab-separated-values'])(
    'comes as %s, as browsers name it',
    async (type) => {
      const file = Buffer.from('Name\tPhone\nGrace\t+12025550101\n');
      expect(
        (
          await admin()
            .post('/api/crm/imports')
            .set('Content-Type', type)
            .send(file as unknown as object)
            .expect(201)
        ).body,
      ).toMatchObject({ delimiter: 'tab', rows: 1 });
    },
  );

  it('is a workbook by mistake, and says what to do', async () => {
    expect((await upload(Buffer.from('504b03041400060008000000', 'hex')).expect(400)).body).toMatchObject({
      cause: { code: 'file_is_workbook' },
      detail: expect.stringContaining('Save it as CSV'),
    });
  });

  describe('that is not in Unicode', () => {
    /** In Windows-1250 and Windows-1251. */
    const polish = Buffer.concat([
      Buffer.from('Name;Phone\n'),
      Buffer.from('a3756b61737a20af616b', 'hex'),
      Buffer.from(';+48500100200\n'),
      Buffer.from('50617765b3204472b97a656b', 'hex'),
      Buffer.from(';+48500100201\n'),
    ]);
    const russian = Buffer.concat([
      ...['d4c8ce', '3b', 'd2e5ebe5f4eeed', '0a', 'c8e2e0ed20cfe5f2f0eee2', '3b'].map((hex) => Buffer.from(hex, 'hex')),
      Buffer.from('+79161234567\n'),
    ]);

    it('is read in what its letters tell, shows names in it and in others, and is read in another one as soon as it is chosen', async () => {
      const { body } = await upload(polish).expect(201);
      expect(body).toMatchObject({
        encoding: 'windows-1250',
        encodings: expect.arrayContaining([
          { encoding: 'windows-1250', sample: 'Łukasz Żak, Paweł Drązek' },
          { encoding: 'windows-1252', sample: '£ukasz ¯ak, Pawe³ Dr¹zek' },
        ]),
      });
      const { body: other } = await admin()
        .patch(`/api/crm/imports/${body.id}`)
        .send({ encoding: 'windows-1252' })
        .expect(200);
      expect(other).toMatchObject({ encoding: 'windows-1252', mapping: body.mapping });
      const preview = async () => (await admin().get(`/api/crm/imports/${body.id}/preview`).expect(200)).body.rows;
      expect(await preview()).toMatchObject([
        { cells: ['£ukasz ¯ak', '+48500100200'], values: { name: '£ukasz ¯ak' } },
        {},
      ]);
      await admin().patch(`/api/crm/imports/${body.id}`).send({ encoding: 'windows-1250' }).expect(200);
      await run(body.id);
      expect(told(await contacts())).toEqual([
        ['Łukasz Żak', '+48500100200'],
        ['Paweł Drązek', '+48500100201'],
      ]);
      expect(await rows(body.id)).toMatchObject([{ cells: ['Łukasz Żak', '+48500100200'] }, {}]);
    });

    it('has headers in it, which are known once it is read so', async () => {
      const { body } = await upload(russian).expect(201);
      expect(body).toMatchObject({ encoding: 'windows-1251', columns: ['ФИО', 'Телефон'], has_header: true });
      expect(mapped(body)).toEqual({ ФИО: 'name', Телефон: 'phone' });
      const { body: wrong } = await admin()
        .patch(`/api/crm/imports/${body.id}`)
        .send({ encoding: 'koi8-r' })
        .expect(200);
      expect(mapped(wrong)).toMatchObject({ [wrong.columns[1]]: 'phone' });
      const { body: right } = await admin()
        .patch(`/api/crm/imports/${body.id}`)
        .send({ encoding: 'windows-1251' })
        .expect(200);
      expect(right.mapping).toEqual(body.mapping);
    });

    it('is read in no encoding that its bytes are not of; what is in Unicode in no other', async () => {
      const { body } = await upload(polish).expect(201);
      expect(
        (await admin().patch(`/api/crm/imports/${body.id}`).send({ encoding: 'utf-8' }).expect(400)).body.errors,
      ).toMatchObject([{ path: 'encoding', code: 'unknown_choice' }]);
      const { body: unicode } = await upload('Name,Phone\nZoë,+12025550101\n').expect(201);
      expect(unicode.encodings).toEqual([]);
      await admin().patch(`/api/crm/imports/${unicode.id}`).send({ encoding: 'windows-1252' }).expect(400);
      await admin().patch(`/api/crm/imports/${unicode.id}`).send({ encoding: 'utf-8' }).expect(200);
    });

    it('or is, but for a few characters, whose cells alone are left out', async () => {
      const file = Buffer.concat([
        Buffer.from('Name,Phone\nZoë,+12025550101\nM'),
        Buffer.from([0xfc]),
        Buffer.from('ller,+12025550102\nJürgen,+12025550103\n'),
      ]);
      const one = await importFile(file);
      expect(one).toMatchObject({ encoding: 'utf-8', counts: { created: 3, with_remarks: 1, refused: 0 } });
      expect(told(await contacts())).toEqual([
        ['Zoë', '+12025550101'],
        [null, '+12025550102'],
        ['Jürgen', '+12025550103'],
      ]);
      expect(await rows(one.id, '?with_remarks=true')).toMatchObject([
        { row: 3, outcome: 'created', remarks: [{ column: 0, code: 'not_of_encoding' }] },
      ]);
    });

    it('keeps the signs of Windows', async () => {
      const signs = Buffer.concat([
        Buffer.from('Name,Phone\nO'),
        Buffer.from([0x92]),
        Buffer.from('Brien,+12025550101\n'),
        Buffer.from([0x8c]),
        Buffer.from('uvre '),
        Buffer.from([0x80]),
        Buffer.from(',+12025550102\nJos'),
        Buffer.from([0xe9]),
        Buffer.from(',+12025550103\n'),
      ]);
      await importFile(signs);
      expect(told(await contacts()).map(([name]) => name)).toEqual(['O’Brien', 'Œuvre €', 'José']);
    });
  });

  describe('whose cells are as programs leave them', () => {
    it('has cells that say that they are empty', async () => {
      const nothings = ['-', 'n/a', 'N/A', 'none', 'NULL', '0', '–', '#N/A', '(none)'];
      const one = await importFile(
        'Name,Phone,E-mail,Customer number\nGrace,+12025550101,grace@example.org,C-1\n' +
          `${nothings.map((nothing, at) => `Person ${at},+1202555011${at},${nothing},${nothing}`).join('\n')}\n`,
      );
      expect(one.counts).toMatchObject({ created: 10, refused: 0, duplicate: 0, with_remarks: 0 });
      expect((await contacts()).slice(1).map(({ emails, external_id }: Contact) => [emails, external_id])).toEqual(
        nothings.map(() => [[], null]),
      );
      expect(
        told(
          await (async () => {
            await freshCompany();
            await importFile('First name,Last name,Phone\nChris,Null,+12025550101\n');
            return contacts();
          })(),
        ),
      ).toEqual([['Chris Null', '+12025550101']]);
    });

    it('has cells that are dressed for spreadsheets, and names and schemes around addresses', async () => {
      await inCountry('GB');
      const one = await importFile(
        `Name,Phone,E-mail\nA,"=""020 7946 0018""",mailto:a@example.org\nB,'020 7946 0019,Bob B <B@example.org>\n` +
          `'C,020 7946 0020,"""C, Ms"" <c@example.org>; c2@example.org"\n` +
          `'s-Gravenhage,020 7946 0021,d@example.org ::: d2@example.org\n`,
      );
      expect(one.counts).toMatchObject({ created: 4, with_remarks: 0 });
      expect(told(await contacts())).toEqual([
        ['A', '+442079460018', 'a@example.org'],
        ['B', '+442079460019', 'b@example.org'],
        ["'C", '+442079460020', 'c@example.org', 'c2@example.org'],
        ["'s-Gravenhage", '+442079460021', 'd@example.org', 'd2@example.org'],
      ]);
    });

    it('has days, languages, time zones and owners as people write them', async () => {
      await admin().patch('/api/company').send({ language: 'de' }).expect(200);
      await admin().post('/api/crm/fields').send({ key: 'born', label: 'Geburtstag', kind: 'date' }).expect(201);
      const given: [
        day: string,
        language: string,
        zone: string,
        owner: string,
        born: string | undefined,
        tag: string | null,
        iana: string | null,
      ][] = [
        ['01.02.1980', 'Deutsch', 'Europe/Berlin', 'Agent a100', '1980-02-01', 'de', 'Europe/Berlin'],
        ['1/2/1980', 'German', 'Berlin', 'A100', '1980-02-01', 'de', 'Europe/Berlin'],
        ['1980-02-01 00:00:00', 'allemand', 'europe_slash_berlin', 'agent A100', '1980-02-01', 'de', 'Europe/Berlin'],
        ['1. Februar 1980', 'pt_BR', 'Eastern Time (US & Canada)', '', '1980-02-01', 'pt-BR', 'America/New_York'],
        ['February 1, 1980', 'English (US)', 'W. Europe Standard Time', '', '1980-02-01', 'en', 'Europe/Berlin'],
        ['31.02.1980', 'Klingonisch', 'Atlantis', 'Nobody', undefined, null, null],
        ['01.02.80', '', '', '', undefined, null, null],
      ];
      const lines = given.map(
        ([day, language, zone, owner], at) => `P${at},+493012000${at},"${day}",${language},${zone},${owner}`,
      );
      const file = `Name,Telefon,Geburtstag,Sprache,Zeitzone,Betreuer\n${lines.join('\n')}\n`;
      const one = await importFile(file);
      expect(one.counts).toMatchObject({ created: given.length, refused: 0, with_remarks: 2 });
      const read = (await contacts()) as (Contact & { fields: { born?: string }; owner: { name: string } | null })[];
      expect(
        read.map(({ fields, language, time_zone, owner }) => [fields.born, language, time_zone, owner?.name ?? null]),
      ).toEqual(
        given.map(([, , , owner, born, tag, iana]) => [
          born,
          tag,
          iana,
          owner.toLowerCase().endsWith('a100') ? 'Agent a100' : null,
        ]),
      );
      expect(
        (await rows(one.id, '?with_remarks=true'))[0].remarks.map(
          ({ code, column }: { code: string; column: number }) => [column, code],
        ),
      ).toEqual([
        [2, 'not_of_field'],
        [3, 'not_a_language'],
        [4, 'not_a_time_zone'],
        [5, 'not_of_company'],
      ]);
    });

    it('has a bad cell, which does not cost the customer unless nothing is left to reach them by', async () => {
      const one = await importFile(
        'Name,Phone,Mobile,E-mail,Language\nGrace,call me,+12025550101,grace@example.org,en\n' +
          'Ada,+12025550102,,not an address,de\nBob,ask Ada,,,fr\nEve,,,eve@example.org,Elvish\n',
      );
      expect(one.counts).toMatchObject({ created: 3, refused: 1, with_remarks: 3 });
      expect(told(await contacts())).toEqual([
        ['Grace', '+12025550101 mobile', 'grace@example.org'],
        ['Ada', '+12025550102'],
        ['Eve', 'eve@example.org'],
      ]);
      expect(
        (await rows(one.id)).map(
          ({
            outcome,
            reason,
            remarks,
          }: {
            outcome: string;
            reason: { code: string } | null;
            remarks: { column: number; code: string }[];
          }) => [outcome, reason?.code, ...remarks.map(({ column, code }) => `${column} ${code}`)],
        ),
      ).toEqual([
        ['created', undefined, '1 phone_without_digits'],
        ['created', undefined, '3 not_an_email'],
        ['refused', 'phone_without_digits'],
        ['created', undefined, '4 not_a_language'],
      ]);
      const { text } = await admin().get(`/api/crm/imports/${one.id}/remarks.csv`).expect(200);
      expect(text.split('\r\n').map((line) => line.split(',')[0])).toEqual(['\ufeffrow', '2', '3', '5', '']);
      expect(text).toContain('2,Phone: The phone number cannot be read: it has no digits.,Grace,call me,');
    });
  });

  describe('whose columns are what stands in them', () => {
    it('has days, ids, postcodes, counts and contract numbers, which are no telephones', async () => {
      await inCountry('DE');
      const { body } = await upload(
        'Contract number,Birthday,ZIP,Employees,Phone number,Contact number,Record ID,Telefon geschäftlich,Anruf am\n' +
          '4711001234,01.02.1980,10115,120,030 120001,0171 3920001,88120034,030 120002,2026-01-05 10:11\n' +
          '4711001235,0/0/00,20095,7,030 120003,0171 3920002,88120035,,2026-01-06 10:11\n',
      ).expect(201);
      expect(mapped(body)).toEqual({
        'Phone number': 'phone',
        'Contact number': 'phone',
        'Record ID': 'external_id',
        'Telefon geschäftlich': 'phone',
      });
      expect((await run(body.id)).counts).toMatchObject({ created: 2, with_remarks: 0 });
      expect((await contacts()).map(phonesOf)).toEqual([
        ['+4930120001', '+491713920001', '+4930120002 work'],
        ['+4930120003', '+491713920002'],
      ]);
    });

    it('has headers that promise what is not there', async () => {
      const { body } = await upload(
        'Name,Phone,Mail,Owner,Language,Email Opt Out,Do not call\n' +
          'Grace,see below,+12025550101,4711001234,x1,yes,maybe\nAda,nobody,+12025550102,4711001235,x2,no,maybe\n',
      ).expect(201);
      expect(mapped(body)).toEqual({ Name: 'name' });
    });

    it('has a header in a language that we do not know, above what can be nothing else', async () => {
      const { body } = await upload(
        'Nev,Szam,Drot\nNagy István,+36301234567,i@example.org\nTóth Anna,+36301234568,a@example.org\n',
      ).expect(201);
      expect([body.has_header, mapped(body)]).toEqual([true, { Szam: 'phone', Drot: 'email' }]);
    });

    it('calls the family name `Name`, as Germans do beside first names, or the whole name', async () => {
      await importFile('Vorname,Name,Telefon\nGrace,Hopper,+12025550101\nAda,Lovelace,+12025550102\n');
      expect((await contacts()).map(({ name }: Contact) => name)).toEqual(['Grace Hopper', 'Ada Lovelace']);
      await freshCompany();
      await importFile('Given Name,Name,Telefon\nGrace,Grace Hopper,+12025550101\nAda,Ada Lovelace,+12025550102\n');
      expect((await contacts()).map(({ name }: Contact) => name)).toEqual(['Grace Hopper', 'Ada Lovelace']);
    });

    it('has labels at the left of its numbers, or at their right', async () => {
      await importFile(
        'Name,Phone 1 - Type,Phone 1 - Value,Phone 2 - Type,Phone 2 - Value\n' +
          'Grace,* Mobile,+12025550101 ::: +12025550102,Work,+12025550103\nAda,,,Home,+12025550104\n',
      );
      expect((await contacts()).map(phonesOf)).toEqual([
        ['+12025550101 Mobile', '+12025550102 Mobile', '+12025550103 Work'],
        ['+12025550104 Home'],
      ]);
      await freshCompany();
      await importFile(
        'Name,Phone,Phone label,Phone 2,Phone 2 label\nGrace,+12025550101,mobile,+12025550103,\n' +
          'Ada,,work,+12025550104,home\n',
      );
      expect((await contacts()).map(phonesOf)).toEqual([
        ['+12025550101 mobile', '+12025550103'],
        ['+12025550104 home'],
      ]);
    });
  });

  it('reads again as it was, however it was read meanwhile', async () => {
    const { body } = await upload('Name,Phone\nGrace,+12025550101\n').expect(201);
    await admin().patch(`/api/crm/imports/${body.id}`).send({ has_header: false }).expect(200);
    expect(await read(body.id)).toMatchObject({ rows: 2, header_row: null });
    await admin().patch(`/api/crm/imports/${body.id}`).send({ has_header: true }).expect(200);
    expect(await read(body.id)).toMatchObject({ rows: 1, header_row: 1 });
  });
});
