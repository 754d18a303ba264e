import { randomUUID } from 'node:crypto';
import { Malformed, readCondition, type Row, textOf } from './conditions.ts';
import { type Answer, FakeCrm, type Heard, json, type Notice, type Person } from './fakeCrm.ts';

const data = '/api/data/v9.2';
const tenant = '0f1e2d3c-4b5a-4968-8776-655443322110';
const organization = '4ef5b371-0f9f-4711-8122-000d3aa2331c';
const applicationUser = '11111111-2222-4333-8444-555555555555';
const ada = 'aaaaaaaa-2222-4333-8444-555555555555';
const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const columnsOf: Record<string, Set<string>> = {
  contacts: new Set([
    'contactid',
    'fullname',
    'emailaddress1',
    'telephone1',
    'telephone2',
    'mobilephone',
    'jobtitle',
    'statecode',
  ]),
  incidents: new Set(['incidentid', '_customerid_value', 'statecode']),
  systemusers: new Set(['systemuserid', 'internalemailaddress', 'isdisabled']),
  phonecalls: new Set(['activityid', 'subject']),
};
const phoneCallColumns = new Set([
  ...[
    'activityid',
    'subject',
    'description',
    'phonenumber',
    'directioncode',
    'actualstart',
    'actualend',
    'actualdurationminutes',
    'category',
  ],
  ...['ownerid@odata.bind', 'regardingobjectid_contact_phonecall@odata.bind', 'phonecall_activity_parties'],
]);

/** Dynamics 365: numbers as texts, ids of the caller's own, rows that cannot be made closed nor changed afterwards. */
export class DynamicsFake extends FakeCrm {
  readonly id = 'dynamics';
  readonly credentials = {
    organization_url: 'acme.crm4.dynamics.com',
    tenant_id: tenant,
    client_id: 'app-1',
    client_secret: 'secret-of-app-1',
  };
  readonly wrongCredentials = { ...this.credentials, client_secret: 'secret-of-app-2' };
  readonly noticeSecret = 'issued-secret-1';
  readonly organization = organization;
  /** Notes below phone calls, by their ids. */
  readonly notes = new Map<string, Row>();
  readonly #tokens = new Set<string>();
  readonly #missing = new Set<string>();
  readonly #rows: Record<string, Row[]> = {
    contacts: [],
    incidents: [],
    systemusers: [
      { systemuserid: ada, internalemailaddress: 'ada@example.com', isdisabled: false },
      { systemuserid: applicationUser, internalemailaddress: null, isdisabled: false },
    ],
    phonecalls: [],
  };

  static open(): Promise<DynamicsFake> {
    return new DynamicsFake().listen();
  }

  addPerson({ name, email, phone, mobile, accountNumber, tier, openTickets = 0 }: Person): string {
    const contacts = this.#rows.contacts ?? [];
    const contactid = `cdcfa450-cb0c-4a11-a813-${String(contacts.length + 1).padStart(12, '0')}`;
    contacts.push({
      ...{
        contactid,
        fullname: name,
        emailaddress1: email,
        telephone1: phone,
        telephone2: null,
        mobilephone: mobile ?? null,
        jobtitle: 'Buyer',
        statecode: 0,
      },
      account:
        accountNumber === undefined && tier === undefined
          ? null
          : { name: 'Northwind', accountnumber: accountNumber ?? null, tier: tier ?? null },
    });
    for (let count = 0; count < openTickets; count += 1)
      this.#rows.incidents?.push({ incidentid: randomUUID(), _customerid_value: contactid, statecode: 0 });
    this.#rows.incidents?.push({ incidentid: randomUUID(), _customerid_value: contactid, statecode: 1 });
    return contactid;
  }

  /** Somebody who left. */
  deactivate(contactId: string): void {
    for (const row of this.#rows.contacts ?? []) if (row.contactid === contactId) row.statecode = 1;
  }

  expireTokens(): void {
    this.#tokens.clear();
  }

  forbid(ability: 'pull' | 'write_back'): void {
    this.#missing.add(ability === 'pull' ? 'prvReadContact' : 'prvCreateActivity');
  }

  tooMany(): Answer {
    const message = 'Number of requests exceeded the limit of 6000 over time window of 300 seconds.';
    return failed(429, '0x80072322', message, { 'retry-after': '17' });
  }

  refusedEntry(): Answer {
    return failed(
      400,
      '0x80044331',
      "A validation error occurred. The length of the 'subject' attribute of the 'phonecall' entity exceeded the maximum.",
    );
  }

  /** As a service endpoint sends it. */
  notice(personId: string, secret: string, at: Date): Notice {
    const row = this.#rows.contacts?.find(({ contactid }) => contactid === personId) ?? {};
    const attributes = Object.entries(row).filter(([key, value]) => columnsOf.contacts?.has(key) && value !== null);
    const body = {
      MessageName: 'Create',
      PrimaryEntityName: 'contact',
      PrimaryEntityId: personId,
      OrganizationId: organization,
      OrganizationName: 'acme',
      CorrelationId: 'b374239d-4233-41a9-8b17-a86cb4f737b5',
      Depth: 1,
      Mode: 1,
      Stage: 40,
      OperationCreatedOn: `/Date(${at.getTime()}+0000)/`,
      InputParameters: [
        {
          key: 'Target',
          value: {
            __type: 'Entity:http://schemas.microsoft.com/xrm/2011/Contracts',
            LogicalName: 'contact',
            Id: personId,
            Attributes: attributes.map(([key, value]) => ({ key, value })),
            FormattedValues: [],
          },
        },
      ],
      PostEntityImages: [],
      PreEntityImages: [],
    };
    const headers = {
      'content-type': 'application/json',
      'x-ms-dynamics-organization': 'acme.crm4.dynamics.com',
      'x-readyline-secret': secret,
    };
    return { method: 'POST', headers, body: JSON.stringify(body) };
  }

  protected answer({ method, url, headers, body }: Heard): Answer {
    const path = url.pathname;
    if (method === 'POST' && path === `/${tenant}/oauth2/v2.0/token`) return this.#token(new URLSearchParams(body));
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    if (token === undefined || !this.#tokens.has(token))
      return { status: 401, headers: { 'www-authenticate': 'Bearer' }, body: '' };
    if (headers['odata-version'] !== '4.0') return failed(400, '0x80060888', 'The header OData-Version is missing.');
    if (path === `${data}/WhoAmI`)
      return json(200, { BusinessUnitId: randomUUID(), UserId: applicationUser, OrganizationId: organization });
    const [, set = '', key] = /^\/api\/data\/v9\.2\/(\w+)(?:\((.*)\))?$/.exec(path) ?? [];
    if (key !== undefined && !guid.test(key)) return failed(400, '0x80060888', `Bad Request - Error in query syntax.`);
    if (set === 'phonecalls' && method === 'POST') return this.#create(body);
    if (set === 'phonecalls' && method === 'PATCH' && key !== undefined)
      return this.#change(key, headers['if-match'] === '*', body);
    if (set === 'annotations' && method === 'PATCH' && key !== undefined) return this.#upsertNote(key, body);
    if (method !== 'GET' || columnsOf[set] === undefined)
      return failed(404, '0x80060888', `Resource not found for the segment '${set}'.`);
    if (set === 'contacts' && this.#missing.has('prvReadContact')) return this.#lacks('prvReadContact');
    if (set === 'phonecalls' && this.#missing.has('prvCreateActivity')) return this.#lacks('prvReadActivity');
    const annotated = (headers.prefer ?? '').includes('OData.Community.Display.V1.FormattedValue');
    return key === undefined
      ? this.#list(set, url.searchParams, annotated)
      : this.#one(set, key, url.searchParams, annotated);
  }

  #token(form: URLSearchParams): Answer {
    if (form.get('scope') !== `${this.url}/.default`) {
      return json(400, {
        error: 'invalid_resource',
        error_description: 'AADSTS500011: The resource principal was not found in the tenant.',
        error_codes: [500011],
      });
    }
    const isClient =
      form.get('client_id') === this.credentials.client_id &&
      form.get('client_secret') === this.credentials.client_secret;
    if (!isClient || form.get('grant_type') !== 'client_credentials') {
      return json(401, {
        error: 'invalid_client',
        error_description: 'AADSTS7000215: Invalid client secret provided.',
        error_codes: [7_000_215],
      });
    }
    const accessToken = randomUUID();
    this.#tokens.add(accessToken);
    return json(200, { token_type: 'Bearer', expires_in: 3_599, ext_expires_in: 3_599, access_token: accessToken });
  }

  #lacks(privilege: string): Answer {
    return failed(
      403,
      '0x80040220',
      `Principal user (Id=${applicationUser}, ` +
        `type=8) is missing ${privilege} privilege (Id=f4f5b371) on OTC=2 for entity 'contact'.`,
    );
  }

  #list(set: string, query: URLSearchParams, annotated: boolean): Answer {
    const select = query.get('$select')?.split(',') ?? [];
    const known = columnsOf[set] ?? new Set();
    const top = Number(query.get('$top') ?? 5_000);
    try {
      const filter = query.get('$filter') === null ? null : readCondition(query.get('$filter') ?? '', 'doubled');
      const unknown = [...select, ...(filter?.fields ?? [])].find((column) => !known.has(column));
      if (unknown !== undefined) {
        return failed(
          400,
          '0x80060888',
          `Could not find a property named '${unknown}' on type 'Microsoft.Dynamics.CRM.${set}'.`,
        );
      }
      const found = (this.#rows[set] ?? []).filter((row) => filter?.holds(row) ?? true);
      const value = found.slice(0, top).map((row) => shown(row, select, query.has('$expand'), annotated));
      return json(200, {
        '@odata.context': `${this.url}${data}/$metadata#${set}`,
        ...(query.get('$count') === 'true' ? { '@odata.count': found.length } : {}),
        value,
      });
    } catch (error) {
      if (error instanceof Malformed) return failed(400, '0x80060888', `Syntax error: ${error.message}`);
      throw error;
    }
  }

  #one(set: string, key: string, query: URLSearchParams, annotated: boolean): Answer {
    const row = this.#rows[set]?.find((one) => one.contactid === key || one.activityid === key);
    if (row === undefined) return failed(404, '0x80040217', `Entity '${set}' With Id = ${key} Does Not Exist`);
    return json(200, shown(row, query.get('$select')?.split(',') ?? [], query.has('$expand'), annotated));
  }

  #create(body: string): Answer {
    const row = JSON.parse(body) as Row;
    if (this.#missing.has('prvCreateActivity')) return this.#lacks('prvCreateActivity');
    const unknown = Object.keys(row).find((column) => !phoneCallColumns.has(column));
    if (unknown !== undefined) {
      return failed(
        400,
        '0x80048d19',
        `Error identified in Payload: The property '${unknown}' does not exist on type ` +
          `'Microsoft.Dynamics.CRM.phonecall'.`,
      );
    }
    const {
      activityid,
      subject,
      description,
      directioncode,
      actualdurationminutes,
      category,
      phonecall_activity_parties: parties,
    } = row;
    if (typeof activityid !== 'string' || !guid.test(activityid))
      return failed(400, '0x80048d19', "The property 'activityid' is no Edm.Guid.");
    if (
      typeof subject !== 'string' ||
      subject.length > 200 ||
      textOf(description).length > 2_000 ||
      textOf(category).length > 250
    )
      return this.refusedEntry();
    if (typeof directioncode !== 'boolean' || !Number.isInteger(actualdurationminutes))
      return failed(400, '0x80048d19', "Cannot convert a value of the property 'directioncode'.");
    const who = parties as Record<string, unknown>[];
    const bound = [
      row['regardingobjectid_contact_phonecall@odata.bind'],
      ...who.map((party) => party['partyid_contact@odata.bind']),
    ].filter((one) => one !== undefined);
    const contactId = textOf(bound[0]).slice('/contacts('.length, -1);
    const isKnown =
      this.#rows.contacts?.some(({ contactid }) => contactid === contactId) &&
      bound.every((one) => one === `/contacts(${contactId})`);
    if (!isKnown) return failed(404, '0x80040217', `Entity 'Contact' With Id = ${contactId} Does Not Exist`);
    const users = who.map((party) => party['partyid_systemuser@odata.bind']).filter((one) => one !== undefined);
    if (users.some((one) => one !== `/systemusers(${ada})` && one !== `/systemusers(${applicationUser})`))
      return failed(404, '0x80040217', 'systemuser does not exist');
    if (
      who
        .map(({ participationtypemask }) => participationtypemask)
        .toSorted()
        .join() !== '1,2'
    )
      return failed(400, '0x80040203', 'From and To are required.');
    if (this.#rows.phonecalls?.some((one) => one.activityid === activityid))
      return failed(412, '0x80040237', 'A record with matching key values already exists.');
    const kept = { ...row, statecode: 0, statuscode: 1 };
    this.#rows.phonecalls?.push(kept);
    this.logged.push({ id: activityid, personId: contactId, text: textOf(description), fields: kept });
    return {
      status: 204,
      headers: { 'odata-version': '4.0', 'odata-entityid': `${this.url}${data}/phonecalls(${activityid})` },
      body: '',
    };
  }

  #change(key: string, onlyIfThere: boolean, body: string): Answer {
    const row = this.#rows.phonecalls?.find(({ activityid }) => activityid === key);
    if (row === undefined) {
      return onlyIfThere
        ? failed(404, '0x80040217', `Entity 'PhoneCall' With Id = ${key} Does Not Exist`)
        : failed(400, '0x80040203', 'incomplete');
    }
    if (row.statecode !== 0) return failed(400, '0x80040203', 'The object cannot be updated because it is read-only.');
    const { statecode, statuscode } = JSON.parse(body) as Row;
    if (statecode !== 1 || (statuscode !== 2 && statuscode !== 4)) {
      return failed(
        400,
        '0x80048408',
        `${textOf(statuscode)} is not a valid status code for state code ${textOf(statecode)}.`,
      );
    }
    Object.assign(row, { statecode, statuscode });
    return { status: 204, body: '' };
  }

  #upsertNote(key: string, body: string): Answer {
    const note = JSON.parse(body) as Row;
    const id = textOf(note['objectid_phonecall@odata.bind']).slice('/phonecalls('.length, -1);
    if (!this.#rows.phonecalls?.some(({ activityid }) => activityid === id))
      return failed(404, '0x80040217', `Entity 'PhoneCall' With Id = ${id} Does Not Exist`);
    this.notes.set(key, note);
    return { status: 204, body: '' };
  }
}

function shown(row: Row, select: string[], expands: boolean, annotated: boolean): Row {
  const account = row.account as { name: string; accountnumber: string | null; tier: string | null } | null | undefined;
  const parent =
    account == null
      ? null
      : {
          name: account.name,
          accountnumber: account.accountnumber,
          accountcategorycode: account.tier === null ? null : 1,
          ...(annotated && account.tier !== null
            ? { 'accountcategorycode@OData.Community.Display.V1.FormattedValue': account.tier }
            : {}),
        };
  return {
    '@odata.etag': 'W/"4372108"',
    ...Object.fromEntries(select.map((column) => [column, row[column] ?? null])),
    ...(expands ? { parentcustomerid_account: parent } : {}),
  };
}

function failed(status: number, code: string, message: string, headers: Record<string, string> = {}): Answer {
  return json(
    status,
    { error: { code, message, '@Microsoft.PowerApps.CDS.HelpLink': 'http://go.microsoft.com/fwlink/?LinkID=398563' } },
    headers,
  );
}
