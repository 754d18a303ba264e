import { z } from 'zod';
import { crmProviders } from '../../src/contract/vocabulary.ts';
import { clickToDialAnswer } from '../../src/contract/clickToDial.ts';
import { crmConnectionAnswer } from '../../src/contract/crm.ts';
import { demoRingResults } from '../../src/contract/demo.ts';
import { type Answer, type FakeCrm, type Heard, html, json } from '../../test/support/crm/fakeCrm.ts';
import { CommandError } from '../commandLine.ts';
import type { GatewayApi } from '../gatewayApi.ts';
import { crmPage } from './page.ts';
import { type PlayedProvider, playedCrms } from './playedCrms.ts';

/** The people of the demo, their numbers as somebody typed them, and as they are dialed. Two share one. */
const people = [
  {
    name: 'Grace Hopper',
    email: 'grace.hopper@customers.example',
    typed: '(415) 555-2671',
    phone: '+14155552671',
    accountNumber: 'A-1001',
    tier: 'gold',
    openTickets: 2,
  },
  {
    name: 'Mary Jackson',
    email: 'mary.jackson@customers.example',
    typed: '+14155550132',
    phone: '+14155550132',
    accountNumber: 'A-1002',
    tier: 'silver',
    openTickets: 0,
  },
  {
    name: 'Ada Byron',
    email: 'ada.byron@customers.example',
    typed: '+14155550186',
    phone: '+14155550186',
    accountNumber: 'A-1003',
    tier: 'gold',
    openTickets: 1,
  },
  {
    name: 'Annabella Byron',
    email: 'annabella.byron@customers.example',
    typed: '+14155550186',
    phone: '+14155550186',
    accountNumber: 'A-1004',
    tier: 'silver',
    openTickets: 0,
  },
];

/** What the page of the played CRM shows, read again and again. */
export const demoCrmState = z.object({
  name: z.string(),
  people: z.array(z.object({ id: z.string(), name: z.string(), email: z.string(), typed: z.string() })),
  logged: z.array(z.object({ id: z.string(), person: z.string().nullable(), text: z.string() })),
});
export type DemoCrmState = z.infer<typeof demoCrmState>;

/** Below it stands what the page of the played CRM asks for; nothing of a CRM's own has such an address. */
export const demoCrmPath = '/readyline-demo';

const action = z.object({ id: z.string() });

/** What a person tells who uses the gateway from there. */
type Desk = { api: GatewayApi; token: string; agentCode: string };

/** Where the fields lie in the answers of the company's own system. */
const demoOptions: Partial<Record<PlayedProvider, Record<string, string>>> = {
  custom: { records_path: 'customers', name_path: 'contact.name', email_path: 'contact.email' },
};

/** A CRM that is played on this machine, with people in it and a page that shows them. */
export class DemoCrm {
  readonly provider: PlayedProvider;
  readonly name: string;
  readonly #crm: FakeCrm;
  readonly #people: { id: string; person: (typeof people)[number] }[];
  #desk: Desk | null = null;

  private constructor(provider: PlayedProvider, crm: FakeCrm) {
    this.provider = provider;
    this.name = crmProviders.find(({ id }) => id === provider)?.name ?? provider;
    this.#crm = crm;
    this.#people = people.map((person) => {
      const { name, email, phone, accountNumber, tier, openTickets } = person;
      // Intercom keeps whole numbers alone.
      const typed = provider === 'intercom' ? phone : person.typed;
      return {
        id: crm.addPerson({ name, email, phone: typed, accountNumber, tier, openTickets }),
        person: { ...person, typed },
      };
    });
    crm.servePages((request) => this.#serve(request));
  }

  static async open(provider: PlayedProvider): Promise<DemoCrm> {
    return new DemoCrm(provider, await playedCrms[provider]());
  }

  /** Where it is, for the gateway (`CRM_BASE_URLS`) and for a browser. */
  get url(): string {
    return this.#crm.url;
  }

  /**
   * Connects the gateway to it, as an admin would.
   * @param token of an admin;
   * @param agentCode whose softphone the page calls
   */
  async connect(api: GatewayApi, token: string, agentCode: string): Promise<void> {
    const options = demoOptions[this.provider];
    const body = {
      provider: this.provider,
      credentials: this.#crm.credentials,
      ...(options === undefined ? {} : { options }),
    };
    await api.ask({ method: 'PUT', path: '/api/integrations/crm', answer: crmConnectionAnswer, as: { token }, body });
    this.#desk = { api, token, agentCode };
  }

  close(): Promise<void> {
    return this.#crm.close();
  }

  /** Null: it is no page that is asked for; the CRM itself answers. */
  #serve({ method, url, headers, body }: Heard): Promise<Answer> | Answer | null {
    if (url.pathname === '/favicon.ico') return { status: 204, body: '' };
    if (method === 'GET' && headers.accept?.includes('text/html') === true)
      return { ...html(200, ''), body: crmPage(this.name) };
    if (!url.pathname.startsWith(demoCrmPath)) return null;
    if (method === 'GET') return json(200, this.#state());
    // Pages of others may send no JSON.
    if (headers['content-type'] !== 'application/json') return json(415, { text: 'That is no JSON.' });
    const asked = action.safeParse(JSON.parse(body));
    const person = asked.success ? this.#people.find(({ id }) => id === asked.data.id) : undefined;
    if (person === undefined || this.#desk === null) return json(404, { text: 'There is nobody of that id.' });
    const call =
      url.pathname === `${demoCrmPath}/ring`
        ? ring(this.#desk, person.person.phone)
        : dial(this.#desk, person.person.phone, person.id);
    return call.then(
      (text) => json(200, { text }),
      (error: unknown) => json(409, { text: error instanceof CommandError ? error.message : String(error) }),
    );
  }

  #state(): DemoCrmState {
    const shown = this.#people.map(({ id, person: { name, email, typed } }) => ({ id, name, email, typed }));
    const nameOf = (personId: string | null) => shown.find(({ id }) => id === personId)?.name ?? personId;
    const logged = this.#crm.logged.map(({ id, personId, text }) => ({ id, person: nameOf(personId), text }));
    return { name: this.name, people: shown, logged: logged.toReversed() };
  }
}

const ringTexts: Record<(typeof demoRingResults)[number], string> = {
  answered: 'The agent has answered.',
  declined: 'The agent has declined.',
  passed_on: 'The agent has passed the caller on.',
  canceled: 'The call was taken back.',
  no_answer: 'Nobody has answered.',
  not_registered: 'Nobody is at the softphone: log in there first.',
  busy: 'The agent is on another call.',
  failed: 'The call has failed.',
};

async function ring({ api, token, agentCode }: Desk, from: string): Promise<string> {
  const answer = z.object({ result: z.enum(demoRingResults) });
  const { result } = await api.ask({
    method: 'POST',
    path: '/demo/ring',
    answer,
    as: { token },
    body: { agent_code: agentCode, from },
  });
  return ringTexts[result];
}

async function dial({ api, token, agentCode }: Desk, phone_number: string, external_id: string): Promise<string> {
  const body = { phone_number, agent_code: agentCode, external_id };
  await api.ask({
    method: 'POST',
    path: '/api/integrations/cti/click-to-dial',
    answer: clickToDialAnswer,
    as: { token },
    body,
  });
  return 'The softphone dials.';
}
