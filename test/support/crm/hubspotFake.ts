import { createHash, createHmac, randomUUID } from 'node:crypto';
import { type CountryCode, parsePhoneNumber } from 'libphonenumber-js';
import { type Answer, FakeCrm, type Heard, json, type Notice, type Person } from './fakeCrm.ts';

const version = '2026-09';
const portal = 12345678;
const contacts = `/crm/objects/${version}/contacts`;
const calls = `/crm/objects/${version}/calls`;

type Properties = Record<string, string | null>;
type Filter = { propertyName: string; operator: string; value?: string };

/** The outcomes of calls that a new account has. */
const dispositions = new Set(['f240bbac-87c9-4f6e-bf70-924b57d47db7', '73a0d17f-1163-4015-bdd5-ec830791da20']);
const callProperties = new Set([
  'hs_timestamp',
  'hs_call_title',
  'hs_call_body',
  'hs_call_direction',
  'hs_call_status',
  'hs_call_duration',
  'hs_call_from_number',
  'hs_call_to_number',
  'hs_call_disposition',
  'hubspot_owner_id',
]);
const contactProperties = new Set([
  'firstname',
  'lastname',
  'email',
  'phone',
  'mobilephone',
  'company',
  'lifecyclestage',
  'hs_lead_status',
  'hubspot_owner_id',
  'hs_searchable_calculated_phone_number',
  'hs_searchable_calculated_mobile_number',
]);

/** HubSpot: contacts by their national digits, five searches a second, calls with a property of ours. */
export class HubspotFake extends FakeCrm {
  readonly id = 'hubspot';
  /** Of a company that logged in; `accessToken` is the other way. */
  readonly credentials = { client_id: 'app-1', client_secret: 'client-secret-of-app-1', refresh_token: 'refresh-1' };
  readonly wrongCredentials = {
    client_id: 'app-1',
    client_secret: 'client-secret-of-app-1',
    refresh_token: 'refresh-of-another',
  };
  /** Of a service key or a private app. */
  readonly accessToken = 'pat-eu1-0f0f0f0f-1111-2222-3333-444444444444';
  readonly noticeSecret = this.credentials.client_secret;
  /** The addresses of this account's users. */
  readonly owners = new Map([['ada@example.com', '77']]);
  readonly #now: () => number;
  readonly #contacts = new Map<string, Properties>();
  readonly #openTickets = new Map<string, number>();
  readonly #callPropertyNames = new Map<string, { isUnique: boolean }>();
  readonly #groups = new Set(['call']);
  readonly #tokens = new Set<string>();
  readonly #codes = new Map<string, { challenge: string; redirectUri: string }>();
  readonly #missingScopes = new Set<string>();
  #searches: number[] = [];

  private constructor(now: () => number) {
    super();
    this.#now = now;
  }

  /** Where numbers without a country code are of. */
  country: CountryCode = 'US';

  /** @param now milliseconds, by which searches are counted */
  static open(now: () => number = Date.now): Promise<HubspotFake> {
    return new HubspotFake(now).listen();
  }

  addPerson({ name, email, phone, mobile, openTickets = 0 }: Person): string {
    const id = String(this.#contacts.size + 501);
    const [firstname = '', ...others] = name.split(' ');
    this.#contacts.set(id, {
      firstname,
      lastname: others.join(' '),
      email,
      phone,
      mobilephone: mobile ?? null,
      lifecyclestage: 'customer',
    });
    this.#openTickets.set(id, openTickets);
    return id;
  }

  expireTokens(): void {
    this.#tokens.clear();
  }

  forbid(ability: 'pull' | 'write_back'): void {
    this.#missingScopes.add(ability === 'pull' ? 'crm.objects.contacts.read' : 'crm.objects.contacts.write');
  }

  /** Properties cannot be made any more. */
  forbidProperties(): void {
    this.#missingScopes.add('crm.schemas.contacts.write');
  }

  /** Nothing is forbidden any more. */
  grantAll(): void {
    this.#missingScopes.clear();
  }

  tooMany(): Answer {
    return json(429, {
      status: 'error',
      message: 'You have reached your secondly limit.',
      errorType: 'RATE_LIMIT',
      correlationId: randomUUID(),
      policyName: 'SECONDLY',
    });
  }

  refusedEntry(): Answer {
    return invalid('Property values were not valid', 'hs_call_disposition', 'INVALID_OPTION');
  }

  notice(personId: string, secret: string, at: Date, url: string): Notice {
    const event = {
      eventId: 100,
      subscriptionId: 12345,
      portalId: portal,
      appId: 54321,
      occurredAt: at.getTime() - 1_000,
      attemptNumber: 0,
    };
    const body = JSON.stringify([
      {
        ...event,
        subscriptionType: 'contact.propertyChange',
        objectId: Number(personId),
        changeSource: 'CRM',
        propertyName: 'phone',
        propertyValue: '1',
      },
    ]);
    const timestamp = String(at.getTime());
    const signature = createHmac('sha256', secret).update(['POST', url, body, timestamp].join('')).digest('base64');
    return {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-hubspot-request-timestamp': timestamp,
        'x-hubspot-signature-v3': signature,
      },
      body,
    };
  }

  protected answer({ method, url, headers, body }: Heard): Answer {
    const path = url.pathname;
    if (method === 'GET' && path === '/oauth/authorize') return this.#askConsent(url, headers.accept);
    if (method === 'POST' && path === `/oauth/${version}/token`) return this.#token(new URLSearchParams(body));
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    if (token === undefined || (token !== this.accessToken && !this.#tokens.has(token))) {
      return refused(401, 'Authentication credentials not found or expired.', 'INVALID_AUTHENTICATION');
    }
    if (method === 'GET' && path === `/account-info/${version}/details`) {
      return json(200, {
        portalId: portal,
        accountType: 'STANDARD',
        timeZone: 'Europe/Berlin',
        uiDomain: 'app-eu1.hubspot.com',
        dataHostingLocation: 'eu1',
      });
    }
    if (method === 'GET' && path === `/crm/owners/${version}`) return this.#findOwners(url.searchParams.get('email'));
    if (path.startsWith(`/crm/properties/${version}/calls`)) return this.#makeProperty(path, body);
    const isWrite = method === 'PATCH' || (path === calls && method === 'POST');
    const scope = isWrite ? 'crm.objects.contacts.write' : 'crm.objects.contacts.read';
    if (this.#missingScopes.has(scope)) return this.#missing(scope);
    if (path.endsWith('/search')) return this.#search(path, body);
    if (path === calls && method === 'POST') return this.#createCall(body);
    if (path.startsWith(`${calls}/`)) return this.#oneCall(method, url, body);
    if (path === contacts && method === 'GET')
      return json(200, { results: [...this.#contacts.keys()].slice(0, 1).map((id) => this.#shown(id, [])) });
    const id = path.slice(contacts.length + 1);
    if (method === 'GET' && path.startsWith(`${contacts}/`) && this.#contacts.has(id)) {
      return json(200, this.#shown(id, (url.searchParams.get('properties') ?? '').split(',')));
    }
    return refused(404, 'resource not found', 'OBJECT_NOT_FOUND');
  }

  /** A person at a browser is asked; what follows redirects alone has said yes. */
  #askConsent(url: URL, accept: string | undefined): Answer {
    const asked = url.searchParams;
    const choice = asked.get('choice');
    if (choice === 'deny') {
      const back = new URLSearchParams({ error: 'access_denied', state: asked.get('state') ?? '' });
      return { status: 302, headers: { location: `${asked.get('redirect_uri') ?? ''}?${back.toString()}` }, body: '' };
    }
    if (choice === 'allow' || accept?.includes('text/html') !== true) return this.#grant(asked);
    const link = (made: string, words: string) =>
      `<p><a href="${url.pathname}?${`${asked.toString()}&choice=${made}`.replaceAll('&', '&amp;')}">${words}</a></p>`;
    const body =
      '<!doctype html><html lang="en"><title>Connect an app</title><h1>Connect Readyline to HubSpot</h1>' +
      `${link('allow', 'Connect app')}${link('deny', 'Cancel')}`;
    return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
  }

  #grant(asked: URLSearchParams): Answer {
    const code = randomUUID();
    const redirectUri = asked.get('redirect_uri') ?? '';
    this.#codes.set(code, { challenge: asked.get('code_challenge') ?? '', redirectUri });
    return {
      status: 302,
      headers: { location: `${redirectUri}?code=${code}&state=${encodeURIComponent(asked.get('state') ?? '')}` },
      body: '',
    };
  }

  #token(form: URLSearchParams): Answer {
    const isClient =
      form.get('client_id') === this.credentials.client_id &&
      form.get('client_secret') === this.credentials.client_secret;
    const code = this.#codes.get(form.get('code') ?? '');
    this.#codes.delete(form.get('code') ?? '');
    const isGranted =
      form.get('grant_type') === 'authorization_code'
        ? code?.redirectUri === form.get('redirect_uri') &&
          code?.challenge ===
            createHash('sha256')
              .update(form.get('code_verifier') ?? '')
              .digest('base64url')
        : form.get('grant_type') === 'refresh_token' && form.get('refresh_token') === this.credentials.refresh_token;
    if (!isClient || !isGranted) {
      const status = form.get('grant_type') === 'refresh_token' ? 'BAD_REFRESH_TOKEN' : 'BAD_AUTH_CODE';
      return json(400, {
        error: 'invalid_grant',
        error_description: 'The grant is not valid.',
        status,
        message: 'missing or invalid grant',
      });
    }
    const accessToken = `access-${randomUUID()}`;
    this.#tokens.add(accessToken);
    return json(200, {
      access_token: accessToken,
      refresh_token: this.credentials.refresh_token,
      expires_in: 1_800,
      token_type: 'bearer',
    });
  }

  #missing(scope: string): Answer {
    return refused(403, "This app hasn't been granted all required scopes to make this call.", 'MISSING_SCOPES', [
      { message: 'One or more of the following scopes are required.', context: { requiredGranularScopes: [scope] } },
    ]);
  }

  #findOwners(email: string | null): Answer {
    // The filter matches whole addresses; without one, everybody comes.
    const found = [...this.owners].filter(([address]) => email === null || address === email);
    return json(200, {
      results: found.map(([address, id]) => ({
        id,
        email: address,
        firstName: 'Ada',
        lastName: 'Byron',
        archived: false,
      })),
    });
  }

  #makeProperty(path: string, body: string): Answer {
    if (this.#missingScopes.has('crm.schemas.contacts.write')) return this.#missing('crm.schemas.contacts.write');
    const {
      name,
      groupName,
      hasUniqueValue = false,
      type,
      fieldType,
    } = JSON.parse(body) as Record<string, string> & { hasUniqueValue?: boolean };
    if (name === undefined || !/^[a-z][a-z0-9_]*$/.test(name)) return invalid('Invalid name', 'name', 'INVALID_NAME');
    if (path.endsWith('/groups')) {
      if (this.#groups.has(name))
        return refused(409, `A property group named ${name} already exists`, 'OBJECT_ALREADY_EXISTS');
      this.#groups.add(name);
      return json(201, { name, archived: false });
    }
    if (groupName === undefined || !this.#groups.has(groupName))
      return invalid('Property group does not exist', 'groupName', 'INVALID_GROUP');
    if (type !== 'string' || fieldType !== 'text') return invalid('Invalid type', 'type', 'INVALID_TYPE');
    if (this.#callPropertyNames.has(name))
      return refused(409, `A property named '${name}' already exists.`, 'OBJECT_ALREADY_EXISTS');
    this.#callPropertyNames.set(name, { isUnique: hasUniqueValue });
    return json(201, { name, groupName, type, fieldType, hasUniqueValue });
  }

  #search(path: string, body: string): Answer {
    const now = this.#now();
    this.#searches = [...this.#searches.filter((at) => at > now - 1_000), now];
    if (this.#searches.length > 5) return this.tooMany();
    const {
      filterGroups = [],
      properties = [],
      limit = 10,
    } = JSON.parse(body) as {
      filterGroups?: { filters: Filter[] }[];
      properties?: string[];
      limit?: number;
    };
    const isTooMuch = filterGroups.length > 5 || filterGroups.some(({ filters }) => filters.length > 6) || limit > 200;
    if (isTooMuch) return invalid('There was a problem with the request.', 'filterGroups', 'VALIDATION_ERROR');
    const kind = path.split('/').at(-2);
    if (kind === 'tickets') {
      const contact =
        filterGroups[0]?.filters.find(({ propertyName }) => propertyName === 'associations.contact')?.value ?? '';
      const isOpenOnly = filterGroups[0]?.filters.some(
        ({ propertyName, operator }) => propertyName === 'closed_date' && operator === 'NOT_HAS_PROPERTY',
      );
      // One more is closed.
      return json(200, { total: (this.#openTickets.get(contact) ?? 0) + (isOpenOnly ? 0 : 1), results: [] });
    }
    const known = kind === 'calls' ? callProperties : contactProperties;
    const unknown = filterGroups.flatMap(({ filters }) => filters).find(({ propertyName }) => !known.has(propertyName));
    if (unknown !== undefined) {
      return invalid(
        `There was a problem with the request: ${unknown.propertyName}`,
        unknown.propertyName,
        'VALIDATION_ERROR',
      );
    }
    const rows: [string, Properties][] =
      kind === 'calls'
        ? this.logged.map(({ id, fields }) => [id, fields as Properties])
        : [...this.#contacts].map(([id, one]) => [id, withCalculated(one, this.country)]);
    const found = rows.filter(([, one]) =>
      filterGroups.some(({ filters }) => filters.every((filter) => matches(one, filter))),
    );
    const shown = found
      .slice(0, limit)
      .map(([id, one]) => (kind === 'calls' ? { id, properties: pick(one, properties) } : this.#shown(id, properties)));
    return json(200, { total: found.length, results: shown });
  }

  #createCall(body: string): Answer {
    const { properties = {}, associations = [] } = JSON.parse(body) as {
      properties?: Record<string, string>;
      associations?: { to: { id: string }; types: { associationCategory: string; associationTypeId: number }[] }[];
    };
    const problem = this.#problemOf(properties, null);
    if (problem !== null) return problem;
    if (properties.hs_timestamp === undefined)
      return invalid('Some required properties were not set.', 'hs_timestamp', 'REQUIRED_FIELD');
    for (const { to, types } of associations) {
      const isContact = types.every(
        ({ associationCategory, associationTypeId }) =>
          associationCategory === 'HUBSPOT_DEFINED' && associationTypeId === 194,
      );
      if (!isContact || !this.#contacts.has(to.id))
        return invalid('The association is not valid.', 'associations', 'INVALID_ASSOCIATION');
    }
    const id = String(9_007_199_254_741_001n + BigInt(this.logged.length));
    this.logged.push({
      id,
      personId: associations[0]?.to.id ?? null,
      text: properties.hs_call_body ?? '',
      fields: properties,
    });
    return json(201, {
      id,
      properties,
      createdAt: '2026-11-21T10:18:08.000Z',
      updatedAt: '2026-11-21T10:18:08.000Z',
      archived: false,
    });
  }

  #oneCall(method: string, url: URL, body: string): Answer {
    const key = decodeURIComponent(url.pathname.slice(calls.length + 1));
    const property = url.searchParams.get('idProperty');
    if (property !== null && this.#callPropertyNames.get(property)?.isUnique !== true) {
      return invalid(`Property ${property} is not a unique identifier`, 'idProperty', 'INVALID_ID_PROPERTY');
    }
    const found = this.logged.find(({ id, fields }) => (property === null ? id === key : fields[property] === key));
    if (found === undefined) return refused(404, 'Object not found.', 'OBJECT_NOT_FOUND');
    if (method === 'PATCH') {
      const { properties } = JSON.parse(body) as { properties: Record<string, string> };
      const problem = this.#problemOf(properties, found.id);
      if (problem !== null) return problem;
      Object.assign(found.fields, properties);
      found.text = properties.hs_call_body ?? found.text;
    }
    return json(200, { id: found.id, properties: found.fields, archived: false });
  }

  /** What is wrong with the properties of a call; null: nothing. */
  #problemOf(properties: Record<string, unknown>, callId: string | null): Answer | null {
    for (const [name, value] of Object.entries(properties)) {
      const own = this.#callPropertyNames.get(name);
      if (own === undefined && !callProperties.has(name))
        return invalid(`Property "${name}" does not exist`, name, 'PROPERTY_DOESNT_EXIST');
      if (typeof value !== 'string') return invalid('Property values were not valid', name, 'INVALID_TYPE');
      if (own?.isUnique === true && this.logged.some(({ id, fields }) => id !== callId && fields[name] === value)) {
        return invalid('Property values were not valid', name, 'CONFLICTING_UNIQUE_VALUE');
      }
      const rule = rules[name];
      if (rule !== undefined && !rule(value, this))
        return invalid('Property values were not valid', name, 'INVALID_OPTION');
    }
    return null;
  }

  #shown(id: string, properties: string[]): Record<string, unknown> {
    const contact = this.#contacts.get(id) ?? {};
    const times = { createdAt: '2026-01-02T03:04:05.678Z', updatedAt: '2026-11-20T10:00:00.000Z' };
    const url = `https://app-eu1.hubspot.com/contacts/${portal}/record/0-1/${id}`;
    return { id, properties: pick(withCalculated(contact, this.country), properties), ...times, archived: false, url };
  }
}

const rules: Record<string, (value: string, fake: HubspotFake) => boolean> = {
  hs_timestamp: (value) => !Number.isNaN(Date.parse(value)) || /^\d+$/.test(value),
  hs_call_direction: (value) => value === 'INBOUND' || value === 'OUTBOUND',
  hs_call_status: (value) => ['BUSY', 'CANCELED', 'COMPLETED', 'FAILED', 'MISSED', 'NO_ANSWER'].includes(value),
  hs_call_duration: (value) => /^\d+$/.test(value),
  hs_call_disposition: (value) => dispositions.has(value),
  hs_call_body: (value) => value.length <= 65_536,
  hubspot_owner_id: (value, { owners }) => [...owners.values()].includes(value),
};

function withCalculated(contact: Properties, country: CountryCode): Properties {
  return {
    ...contact,
    hs_searchable_calculated_phone_number: nationalDigits(contact.phone, country),
    hs_searchable_calculated_mobile_number: nationalDigits(contact.mobilephone, country),
  };
}

/** As HubSpot calculates it: the national digits, as a number is written. */
function nationalDigits(phone: string | null | undefined, country: CountryCode): string | null {
  if (phone === null || phone === undefined) return null;
  let digits = phone.replace(/\D/g, '');
  try {
    digits = parsePhoneNumber(phone, country).nationalNumber;
  } catch {
    // Not a number of anywhere: its digits stay.
  }
  return digits.replace(/^0+/, '');
}

function matches(row: Properties, { propertyName, operator, value = '' }: Filter): boolean {
  const has = row[propertyName] ?? null;
  if (has === null) return false;
  if (operator === 'EQ') return propertyName === 'hs_timestamp' ? Date.parse(has) === Number(value) : has === value;
  // A star stands for the beginning of a word.
  if (operator === 'CONTAINS_TOKEN') {
    return value.startsWith('*')
      ? has.split(/\s+/).some((word) => word.endsWith(value.slice(1)))
      : has.split(/\s+/).includes(value);
  }
  return false;
}

function pick(row: Properties, names: string[]): Properties {
  return Object.fromEntries(names.filter((name) => name !== '').map((name) => [name, row[name] ?? null]));
}

function refused(status: number, message: string, category: string, errors: unknown[] = []): Answer {
  return json(status, { status: 'error', message, correlationId: randomUUID(), category, errors });
}

function invalid(message: string, property: string, code: string): Answer {
  return refused(400, message, 'VALIDATION_ERROR', [
    { message: `${property}: ${message}`, code, context: { propertyName: [property] } },
  ]);
}
