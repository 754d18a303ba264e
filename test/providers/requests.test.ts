import { describe, expect, it } from 'vitest';
import type { CrmRecord, CrmRequest, Provider, Site } from '../../src/providers/provider.ts';
import { providers } from '../../src/providers/registry.ts';
import { type Asked, everyRequest } from '../support/crm/everyRequest.ts';
import { type RequestShape, requireDocumented } from '../support/crm/requestShapes.ts';
import { crmRecord, finishedCall, hostileNotes, phoneQuery } from '../support/crm/samples.ts';
import { customShapes } from '../support/crm/shapes/customShapes.ts';
import { dynamicsShapes } from '../support/crm/shapes/dynamicsShapes.ts';
import { freshdeskShapes } from '../support/crm/shapes/freshdeskShapes.ts';
import { hubspotShapes } from '../support/crm/shapes/hubspotShapes.ts';
import { intercomShapes } from '../support/crm/shapes/intercomShapes.ts';
import { pipedriveShapes } from '../support/crm/shapes/pipedriveShapes.ts';
import { salesforceShapes } from '../support/crm/shapes/salesforceShapes.ts';
import { servicenowShapes } from '../support/crm/shapes/servicenowShapes.ts';
import { zendeskShapes } from '../support/crm/shapes/zendeskShapes.ts';
import { zohoShapes } from '../support/crm/shapes/zohoShapes.ts';

type AtSite = { credentials: Record<string, string>; facts?: Record<string, string>; options?: Record<string, string> };
type Subject = {
  shapes: RequestShape[];
  /** Where requests go: data and log-in. */
  below: [api: string, login: string];
  /** By what is different there. */
  sites: Record<string, AtSite>;
  people: { object: string; id: string }[];
  entries: string[];
  places?: string[];
  /** Ids of records and owners are looked at when they come, and those of other forms never kept. */
  hasCheckedIds?: true;
  /** The agent's user there. */
  owner: string;
};

const erp = {
  lookup_url: 'https://erp.example.com/v1/customers/{digits}?e164={phone}&short={national}',
  log_url: 'https://erp.example.com/calls/{call_id}?key=1',
  update_url: 'https://erp.example.com/calls/{entry_id}',
};
const salesforceApp = { domain: 'acme.my.salesforce.com', client_id: 'key', client_secret: 's&=' };
const organization = '00D5g00000ABCdEEAX';
const servicenowApp = { instance: 'acme', client_id: 'client', client_secret: 's&=' };
const hubspotFacts = { portal: '12345678', domain: 'app-eu1.hubspot.com' };
const pipedriveFacts = { company: 'northwind', user: '11' };

const subjects: Record<string, Subject> = {
  salesforce: {
    shapes: salesforceShapes,
    below: ['https://acme.my.salesforce.com', 'https://acme.my.salesforce.com'],
    sites: {
      'of a call centre’s user': { credentials: salesforceApp, facts: { organization, call_fields: 'yes' } },
      'of a user without the fields of calls': {
        credentials: salesforceApp,
        facts: { organization, call_fields: 'no' },
      },
      'of a user who sees no leads': { credentials: salesforceApp, facts: { leads: 'no' } },
      'of an organization with fields of its own': {
        credentials: salesforceApp,
        facts: { organization, call_fields: 'yes' },
        options: { account_number_field: '', tier_field: 'Support_Level__c', completed_status: 'Done' },
      },
    },
    people: [
      { object: 'Contact', id: '0035g00000MariaAAA' },
      { object: 'Lead', id: '00Q5g00000JonAAA' },
    ],
    entries: ['00T5g00000Task1AAA'],
    owner: '0055g00000AdaAAA',
  },
  hubspot: {
    shapes: hubspotShapes,
    below: ['https://api.hubapi.com', 'https://api.hubapi.com'],
    sites: {
      'with the property for calls': {
        credentials: { access_token: 'pat-eu1-1' },
        facts: { ...hubspotFacts, call_id_property: 'yes' },
      },
      'without it': { credentials: { access_token: 'pat-eu1-1' }, facts: hubspotFacts },
      'of an app': {
        credentials: { client_id: 'app', client_secret: 's&=', refresh_token: 'r' },
        facts: { ...hubspotFacts, call_id_property: 'yes' },
      },
    },
    people: [{ object: 'contact', id: '501' }],
    entries: ['9007199254741001'],
    owner: '77',
  },
  zendesk: {
    shapes: zendeskShapes,
    below: ['https://acme.zendesk.com', 'https://acme.zendesk.com'],
    sites: {
      'with somebody to whom tickets belong': {
        credentials: { subdomain: 'acme', client_id: 'c', client_secret: 's&=' },
        facts: { user: '26363597354387' },
      },
      without: { credentials: { subdomain: 'acme', client_id: 'c', client_secret: 's&=' } },
      'with a token of old': {
        credentials: { subdomain: 'acme', email: 'ada@example.com', api_token: 't' },
        facts: { user: '26363597354387' },
      },
    },
    people: [{ object: 'user', id: '26363597354400' }],
    entries: ['35436'],
    owner: '26363597354388',
  },
  freshdesk: {
    shapes: freshdeskShapes,
    below: ['https://acme.freshdesk.com', 'https://acme.freshdesk.com'],
    sites: Object.fromEntries(
      ['ticket', 'open_ticket'].map((log_as) => [
        `where calls are logged as ${log_as}`,
        { credentials: { domain: 'acme', api_key: 'key' }, facts: { agent: '70000000001' }, options: { log_as } },
      ]),
    ),
    people: [{ object: 'contact', id: '501002381517' }],
    entries: ['tickets/11', 'conversations/9001'],
    places: ['11'],
    owner: '70000000002',
  },
  dynamics: {
    shapes: dynamicsShapes,
    below: ['https://acme.crm4.dynamics.com', 'https://login.microsoftonline.com'],
    sites: {
      'of an organization': {
        credentials: {
          organization_url: 'acme.crm4.dynamics.com',
          tenant_id: 'acme.onmicrosoft.com',
          client_id: 'app',
          client_secret: 's&=',
        },
        facts: { user: '11111111-2222-4333-8444-555555555555', organization: '4ef5b371-0f9f-4711-8122-000d3aa2331c' },
      },
    },
    people: [{ object: 'contact', id: 'cdcfa450-cb0c-4a11-a813-000d3a1b1223' }],
    entries: ['cdcfa450-cb0c-4a11-a813-000d3a1b1224'],
    hasCheckedIds: true,
    owner: 'aaaaaaaa-2222-4333-8444-555555555555',
  },
  pipedrive: {
    shapes: pipedriveShapes,
    below: ['https://api.pipedrive.com', 'https://oauth.pipedrive.com'],
    sites: {
      'with call logs': {
        credentials: { api_token: 'f00d' },
        facts: { ...pipedriveFacts, logs_for_others: 'yes', call_logs: 'yes' },
      },
      'with activities': {
        credentials: { api_token: 'f00d' },
        facts: { ...pipedriveFacts, logs_for_others: 'no', call_logs: 'no' },
      },
      'before the check': { credentials: { api_token: 'f00d' } },
      'of an app': {
        credentials: { client_id: 'client', client_secret: 's&=', refresh_token: 'r' },
        facts: pipedriveFacts,
      },
    },
    people: [{ object: 'person', id: '101' }],
    entries: ['901'],
    owner: '11',
  },
  zoho: {
    shapes: zohoShapes,
    below: ['https://www.zohoapis.eu', 'https://accounts.zoho.eu'],
    sites: {
      'of a login': {
        credentials: { region: 'eu', client_id: '1000.APP', client_secret: 's&=', refresh_token: '1000.r' },
        facts: { organization: '20081234567' },
      },
    },
    people: [
      { object: 'Contacts', id: '6493490000001291001' },
      { object: 'Leads', id: '6493490000001291002' },
    ],
    entries: ['6493490000001504003'],
    owner: '6493490000000400001',
  },
  intercom: {
    shapes: intercomShapes,
    below: ['https://api.eu.intercom.io', 'https://api.eu.intercom.io'],
    sites: {
      'of a workspace': {
        credentials: { region: 'eu', access_token: 'token' },
        facts: { workspace: 'le2pquh0', admin: '991267583', region: 'EU' },
      },
      'of an app to which nobody has logged in': {
        credentials: { region: 'eu', client_id: 'client', client_secret: 's&=' },
      },
    },
    people: [{ object: 'contact', id: '66439cea83905da73e39822e' }],
    entries: ['31'],
    owner: '991267584',
  },
  servicenow: {
    shapes: servicenowShapes,
    below: ['https://acme.service-now.com', 'https://acme.service-now.com'],
    sites: {
      'of business customers': { credentials: servicenowApp, facts: { phone_columns: 'phone,mobile_phone' } },
      'of consumers': {
        credentials: servicenowApp,
        options: { contact_table: 'csm_consumer', phone_columns: 'mobile_phone,home_phone' },
      },
      'of employees': {
        credentials: servicenowApp,
        options: { contact_table: 'sys_user' },
        facts: { phone_columns: 'phone,mobile_phone' },
      },
      'of a user': { credentials: { instance: 'acme', username: 'readyline', password: 'pass' } },
    },
    people: ['customer_contact', 'csm_consumer', 'sys_user', 'task', 'constructor'].map((object) => ({
      object,
      id: '59e788fbdb1b1200b6075200cf9619d2',
    })),
    entries: ['12961fff7fb2d2102d0cd3cf8c86652b'],
    hasCheckedIds: true,
    owner: '62826bf03710200044e0bfc8bcbe5df1',
  },
  custom: {
    shapes: customShapes,
    below: ['https://erp.example.com', 'https://erp.example.com'],
    sites: {
      'with addresses for everything': { credentials: erp },
      'with one to ask alone': { credentials: { lookup_url: 'https://erp.example.com/customers?phone={phone}' } },
    },
    people: [{ object: 'contact', id: 'K-1' }],
    entries: ['K-2'],
    owner: '1',
  },
};

const hostile = [
  hostileNotes,
  `' OR Name LIKE '%`,
  `\\' OR Id!='`,
  `\\`,
  `x\\\\'`,
  `' or fullname ne '`,
  `'')`,
  ') or (1 eq 1',
  `1' OR '1'='1`,
  '1 OR status:open',
  '^ORactive=true',
  '4155551212^ORsys_idISNOTEMPTY',
  'javascript:gs.getUserID()',
  'a/../../b?c=d#e',
  '..',
  '.',
  '"}]}',
  '%2e%2e',
  '</p><script>',
  '</div><script>',
  '\r\nx-injected: 1',
  '{notes}{call_id}',
  '__proto__',
  '1'.repeat(40),
  '’'.repeat(40_000),
];

function siteAt(provider: Provider<unknown>, { credentials: given, facts = {}, options = {} }: AtSite): Site<unknown> {
  const credentials = provider.credentials.parse(given);
  return { credentials, addresses: provider.addresses(credentials), facts, options: provider.options.parse(options) };
}

function askedOf({ people, entries, places = [], owner }: Subject): Asked {
  const records = people.map(crmRecord);
  const call = finishedCall({ agent: { name: 'Ada Byron', ownerId: owner } });
  return {
    phone: phoneQuery('+14155551212'),
    records,
    callers: [...records, null],
    call,
    entries,
    places: [null, ...places],
    email: 'ada@example.com',
  };
}

/** The same, with a text of somebody who wants to break out in all places where one can come from elsewhere. */
function hostileOf(subject: Subject, text: string): Asked {
  const { phone, records, callers, call, entries, places } = askedOf(subject);
  const strangers: CrmRecord[] = records.map((record) => ({ ...record, id: text }));
  const ownerId = subject.hasCheckedIds === true ? subject.owner : text.slice(0, 255);
  return {
    phone: { ...phone, written: [...phone.written, text, `4155551212^ORactive=true`] },
    records: [
      ...records,
      ...strangers,
      ...records.map((record) => ({ ...record, object: text })),
      ...strangers.map((record) => ({ ...record, object: text })),
    ],
    callers: subject.hasCheckedIds === true ? callers : [...callers, ...strangers],
    // The gateway's own ids are short.
    call: {
      ...call,
      id: text.slice(0, 36),
      from: text.slice(0, 40),
      notes: text,
      agent: { name: text, ownerId },
      disposition: { code: 'x', label: text, externalValue: null },
    },
    entries:
      subject.hasCheckedIds === true ? entries : [...entries, ...entries.map((id) => id.replace(/[^/]+$/, () => text))],
    places: [...places, ...(subject.places === undefined ? [] : [text])],
    email: `o'brien+"${text}"@example.com`,
  };
}

/** Those that write a call's entry, now or with later notes. */
function writtenBy(requests: CrmRequest[]): CrmRequest[] {
  return requests.filter(({ body }) => body?.includes('Asked for the invoice of May.') === true);
}

describe.each(
  Object.entries(subjects).flatMap(([id, subject]) =>
    Object.entries(subject.sites).map(([which, at]) => ({ id, subject, which, at })),
  ),
)('the requests to $id, $which', ({ id, subject, at }) => {
  const provider = providers.find((one) => one.id === id)!;
  const site = siteAt(provider, at);
  const check = (asked: Asked) => {
    for (const request of everyRequest(provider, site, asked)) {
      expect(
        subject.below.some((address) => request.url.startsWith(`${address}/`)),
        request.url,
      ).toBe(true);
      requireDocumented(request, subject.shapes);
    }
  };

  it('are as the vendor documents them', () => {
    for (const differs of [
      {},
      { direction: 'outbound' as const },
      { answeredAt: null, endReason: 'missed' as const, durationSeconds: 0 },
      { notes: null, disposition: null },
    ]) {
      const asked = askedOf(subject);
      check({ ...asked, call: { ...asked.call, ...differs } });
      check({ ...asked, call: { ...asked.call, ...differs, agent: { name: 'Ada Byron', ownerId: null } } });
    }
  });

  it.each(hostile.map((text) => [text.slice(0, 30), text] as const))(
    'stay what they are for %j in all places',
    (_shown, text) => {
      check(hostileOf(subject, text));
    },
  );

  it('tell what line was called, to whom the call was handed on, by whom, and its tags, wherever they tell its notes', () => {
    const asked = askedOf(subject);
    const call = {
      ...asked.call,
      endReason: 'transferred' as const,
      transferredTo: '+14155550199',
      transferredFrom: 'Charles',
      tags: ['Price', 'In a hurry'],
      dialedNumber: '+4930123456',
      line: 'Sales Germany',
      queue: 'Support',
    };
    for (const { body } of writtenBy(everyRequest(provider, site, { ...asked, call }))) {
      expect(body).toMatch(/Transferred to \+14155550199|"transferred_to":"\+14155550199"/);
      expect(body).toMatch(/Handed on by: Charles|"transferred_from":"Charles"/);
      expect(body).toMatch(
        /Line: Sales Germany \(\+4930123456\)|"dialed_number":"\+4930123456","line":"Sales Germany"/,
      );
      expect(body).toMatch(/Queue: Support|"queue":"Support"/);
      expect(body).toMatch(/Tags: Price, In a hurry|"tags":"Price, In a hurry"/);
    }
    // As a gateway of before has prepared it, and where the telephone did not tell.
    const { dialedNumber: _, line: __, transferredTo: ___, transferredFrom: ____, tags: _____, ...older } = call;
    for (const { body } of writtenBy(everyRequest(provider, site, { ...asked, call: older })))
      expect(body).not.toMatch(/Transferred to|Handed on|Line:|Tags:|undefined/);
  });

  it('are the same bytes for the same call', () => {
    expect(everyRequest(provider, site, askedOf(subject))).toEqual(everyRequest(provider, site, askedOf(subject)));
  });
});

it('to every provider are looked at, and none of what is documented is never asked', () => {
  expect(Object.keys(subjects).toSorted()).toEqual(providers.map(({ id }) => id).toSorted());
  for (const [id, subject] of Object.entries(subjects)) {
    const provider = providers.find((one) => one.id === id)!;
    const requests = Object.values(subject.sites).flatMap((at) =>
      everyRequest(provider, siteAt(provider, at), askedOf(subject)),
    );
    expect(writtenBy(requests).length, id).toBeGreaterThan(0);
    const asked = (shape: RequestShape) =>
      requests.some(
        ({ method, url }) =>
          method === shape.method && shape.path.exec(new URL(url).pathname)?.[0] === new URL(url).pathname,
      );
    expect(
      subject.shapes.filter((shape) => !asked(shape)).map(({ method, path }) => `${id}: ${method} ${path.source}`),
    ).toEqual([]);
  }
});
