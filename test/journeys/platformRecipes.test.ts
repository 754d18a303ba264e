import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';

let gateway: Gateway;
let company: TestCompany;

beforeAll(async () => {
  gateway = await startGateway('memory');
  company = await gateway.company({ slug: 'recipes', agents: 1 });
  await gateway.api.post('/api/integrations/inbound').set('X-Service-Api-Key', company.key).send({ phone_number: '+14155552671', data: { name: 'Grace "Amazing" Hopper' } }).expect(200);
});
afterAll(() => gateway.close());

const recipeOf = async (id: string) => (await gateway.as(company).get(`/api/integrations/cti/connectors/${id}`).expect(200)).body;

describe('what a platform needs', () => {
  it('is listed, read and downloaded with a name, by admins alone', async () => {
    const { body } = await gateway.as(company).get('/api/integrations/cti/connectors').expect(200);
    expect(body.connectors.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(['genesys', 'cisco', 'none']));
    const recipe = await recipeOf('cisco');
    const file = recipe.files.find(({ file_name: name }: { file_name: string }) => name === 'Readyline.js');
    const downloaded = await gateway.as(company).get(file.path).buffer(true).parse((response, done) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () => done(null, text));
    }).expect(200);
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
    const action = JSON.parse(files.find(({ file_name: name }: { file_name: string }) => name === 'readyline-lookup.custom.json').text);
    const { requestUrlTemplate, headers } = action.config.request;
    const url = new URL((requestUrlTemplate as string).replace('$esc.url(${input.PHONE})', encodeURIComponent(caller)).replace('https://YOUR-GATEWAY', gateway.url));
    const sent = Object.fromEntries(Object.entries(headers as Record<string, string>).map(([name, value]) => [name, value.replace('${credentials.apiKey}', company.key)]));
    const { body } = await gateway.api.get(url.pathname + url.search).set(sent).expect(200);
    const { translationMap, translationMapDefaults, successTemplate } = action.config.response;
    const values = Object.entries(translationMap as Record<string, string>).map(([name, path]) => [name, JSON.stringify(body[path.slice(2)]) ?? translationMapDefaults[name]] as const);
    const output = JSON.parse(values.reduce((text, [name, value]) => text.replace(`\${${name}}`, () => value), successTemplate as string));
    expect(output).toMatchObject(expected);
    for (const [name, value] of Object.entries(output)) expect([name, typeof value]).toEqual([name, action.contract.output.successSchema.properties[name].type]);
  });

  it.each(['cisco', 'five9', 'avaya'])('has a lookup for flows of %s that answers in one flat object, with the key in any of the places that they have', async (id) => {
    const { steps } = await recipeOf(id);
    const { value } = steps.find((step: { value: string | null }) => step.value?.includes('/screen-pop'));
    const url = new URL(`${value.replace('https://YOUR-GATEWAY', gateway.url)}15551230001&nocache=1`);
    for (const credentials of [{ 'X-Service-Api-Key': company.key }, { 'X-API-Key': company.key }, { authorization: `Basic ${Buffer.from(`readyline:${company.key}`).toString('base64')}` }]) {
      const { body, headers } = await gateway.api.get(url.pathname + url.search).set(credentials).expect(200);
      expect(Object.values(body).every((field) => typeof field === 'string')).toBe(true);
      expect(headers['content-length']).toBeDefined();
    }
  });
});
