import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { platforms } from '../../src/contract/platforms.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';

let gateway: Gateway;
let company: TestCompany;

beforeAll(async () => {
  gateway = await startGateway('memory');
  company = await gateway.company({ slug: 'recipes', agents: 1 });
  await gateway.api
    .post('/api/integrations/inbound')
    .set('X-Service-Api-Key', company.key)
    .send({ phone_number: '+14155552671', data: { name: 'Grace "Amazing" Hopper' } })
    .expect(200);
});
afterAll(() => gateway.close());

const recipeOf = async (id: string) =>
  (await gateway.as(company).get(`/api/integrations/cti/connectors/${id}`).expect(200)).body;

describe('what a platform needs', () => {
  it('is listed, read and downloaded with a name, by admins alone', async () => {
    const { body } = await gateway.as(company).get('/api/integrations/cti/connectors').expect(200);
    expect(body.connectors.map(({ id }: { id: string }) => id)).toEqual(
      expect.arrayContaining(['genesys', 'cisco', 'none']),
    );
    const recipe = await recipeOf('cisco');
    const file = recipe.files.find(({ file_name: name }: { file_name: string }) => name === 'Readyline.js');
    const downloaded = await gateway
      .as(company)
      .get(file.path)
      .buffer(true)
      .parse((response, done) => {
        let text = '';
        response.on('data', (part: Buffer) => (text += part.toString()));
        response.on('end', () => done(null, text));
      })
      .expect(200);
    expect(downloaded.headers['content-disposition']).toBe('attachment; filename="Readyline.js"');
    expect(downloaded.body).toBe(file.text);
    await gateway.as(company.agents[0]!).get('/api/integrations/cti/connectors/cisco').expect(403);
    await gateway.as(company).get('/api/integrations/cti/connectors/sugar').expect(404);
    await gateway.as(company).get('/api/integrations/cti/connectors/cisco/files/..%2Fpackage.json').expect(404);
    expect((await recipeOf('none')).steps).toEqual([]);
  });

  it.each([
    ['a known caller', 'tel:+14155552671', { found: 'true', name: 'Grace "Amazing" Hopper' }],
    ['an unknown one', '+15559990000', { found: 'false', name: '' }],
    ['digits alone', '14155552671', { found: 'true' }],
  ])('has the data action of Genesys give the flow texts alone for %s', async (_what, caller, expected) => {
    const { files } = await recipeOf('genesys');
    const action = JSON.parse(
      files.find(({ file_name: name }: { file_name: string }) => name === 'readyline-lookup.custom.json').text,
    );
    const { requestUrlTemplate, headers } = action.config.request;
    const url = new URL(
      (requestUrlTemplate as string)
        .replace('$esc.url(${input.PHONE})', encodeURIComponent(caller))
        .replace('https://YOUR-GATEWAY', gateway.url),
    );
    const sent = Object.fromEntries(
      Object.entries(headers as Record<string, string>).map(([name, value]) => [
        name,
        value.replace('${credentials.apiKey}', company.key),
      ]),
    );
    const { body } = await gateway.api
      .get(url.pathname + url.search)
      .set(sent)
      .expect(200);
    const { translationMap, translationMapDefaults, successTemplate } = action.config.response;
    const values = Object.entries(translationMap as Record<string, string>).map(
      ([name, path]) => [name, JSON.stringify(body[path.slice(2)]) ?? translationMapDefaults[name]] as const,
    );
    const output = JSON.parse(
      values.reduce((text, [name, value]) => text.replace(`\${${name}}`, () => value), successTemplate as string),
    );
    expect(output).toMatchObject(expected);
    for (const [name, value] of Object.entries(output))
      expect([name, typeof value]).toEqual([name, action.contract.output.successSchema.properties[name].type]);
  });

  /** What of the gateway's addresses of one path a recipe holds, with what a platform fills in filled in. */
  async function addressesOf(id: string, path: string): Promise<URL[]> {
    const { files, steps } = await recipeOf(id);
    const text = [
      ...steps.map(({ value }: { value: string | null }) => value ?? ''),
      ...files.map(({ text: content }: { text: string }) => content),
    ]
      .join('\n')
      .replaceAll('&amp;', '&');
    const found = [...text.matchAll(new RegExp(`${path}(\\?[^"'\\s<>\\\\]*<?m?>?)`, 'g'))].map(
      ([, query = '']) => new URL(`${path}${query}`, gateway.url),
    );
    for (const url of found) {
      for (const [name, value] of url.searchParams) {
        if (value === '' || /[<{$]/.test(value)) url.searchParams.set(name, name === 'call' ? 'c-1' : '14155552671');
      }
    }
    return found;
  }

  it.each(platforms.map(({ id }) => id))(
    'has a lookup for flows of %s that answers in one flat object, with the key in any of the places that they have',
    async (id) => {
      const addresses =
        id === 'five9'
          ? [...(await addressesOf(id, '/api/integrations/cti/screen-pop')), await queryOfFive9()]
          : await addressesOf(id, '/api/integrations/cti/screen-pop');
      expect(addresses.length).toBeGreaterThan(0);
      for (const { pathname, search } of addresses) {
        for (const credentials of [
          { 'X-Service-Api-Key': company.key },
          { 'X-API-Key': company.key },
          { authorization: `Basic ${Buffer.from(`readyline:${company.key}`).toString('base64')}` },
        ]) {
          const { body, headers } = await gateway.api
            .get(`${pathname}${search}&nocache=1`)
            .set(credentials)
            .expect(200);
          expect(body).toMatchObject({ found: 'true', name: 'Grace "Amazing" Hopper' });
          expect(Object.values(body).every((field) => typeof field === 'string')).toBe(true);
          expect(headers['content-length']).toBeDefined();
        }
        await gateway.api.get(`${pathname}${search}`).expect(401);
      }
    },
  );

  /** The request of the IVR script, whose parameters stand apart. */
  async function queryOfFive9(): Promise<URL> {
    const { files } = await recipeOf('five9');
    const text = files.find(({ file_name: name }: { file_name: string }) => name === 'readyline-lookup.five9ivr')
      .text as string;
    const [, parameters = ''] = /<parameters>([^]*?)<\/parameters>/.exec(text) ?? [];
    const [, address = ''] = /<url>https:\/\/YOUR-GATEWAY([^<]*)<\/url>/.exec(text) ?? [];
    const url = new URL(address, gateway.url);
    for (const [, name = '', value = ''] of parameters.matchAll(
      /<key>(\w+)<\/key>.*?<(?:variableName|value)>([^<]+)<\/(?:variableName|value)><(?:\/value|id)/g,
    ))
      url.searchParams.set(name, value === 'Call.ANI' ? '14155552671' : value);
    return url;
  }

  it.each(['genesys', 'avaya', 'cisco', 'webexcc', 'five9', 'nice'])(
    'has an address of the pop page for %s that shows the customer, and the call where it names one',
    async (id) => {
      const { files } = await recipeOf(id);
      const held = await addressesOf(id, '/pop');
      const addresses = [...held, ...filledElsewhere(files)];
      expect(addresses.some(({ searchParams }) => searchParams.has('phone'))).toBe(true);
      const [agent] = company.agents;
      for (const { pathname, search, searchParams } of addresses.filter((url) => url.searchParams.has('phone'))) {
        expect(searchParams.get('company')).toBe(company.id);
        await gateway.api
          .get(pathname + search)
          .expect(200)
          .expect('content-type', /html/);
        const { body } = await gateway
          .as(agent!)
          .get('/api/integrations/cti/pop')
          .query({
            phone: searchParams.get('phone'),
            ...(searchParams.has('call') ? { call: searchParams.get('call') } : {}),
          })
          .expect(200);
        expect(body).toMatchObject({
          found: true,
          phone: '+14155552671',
          screen_pop: { name: 'Grace "Amazing" Hopper' },
        });
      }
      if (id !== 'avaya') expect(addresses.some((url) => url.searchParams.has('call'))).toBe(true);
    },
  );

  /**
   * Where the page's parameters stand apart from its address: in Webex' screen pop, Five9's web connector,
   * and the scripts that add them.
   */
  function filledElsewhere(files: { text: string }[]): URL[] {
    const filled = new URL(`/pop?company=${company.id}&phone=14155552671&call=c-1`, gateway.url);
    const names = [
      /"queryParameters": \{\s*"phone": "[^"]+",\s*"call": "[^"]+"/,
      /<key>company<\/key><value>[0-9a-f-]{36}<\/value>[^]*<key>phone<\/key>[^]*<key>call<\/key>/,
      /'&phone=' \+ encodeURIComponent\([^]*'&call=' \+ encodeURIComponent\(/,
    ];
    return files.some(({ text }) => names.some((form) => form.test(text))) ? [filled] : [];
  }
});
