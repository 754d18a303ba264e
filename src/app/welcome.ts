import type { DemoCredentials } from './firstCompany.ts';

/** Where everything is, for the person who started the gateway. */
export function addressLines(url: string): string {
  return [
    '',
    `Readyline is at ${url}`,
    `  API documentation   ${url}/docs`,
    `  OpenAPI             ${url}/openapi.json`,
    `  health              ${url}/api/health`,
    `  metrics             ${url}/metrics`,
    '',
  ].join('\n');
}

const readJson = (field: string) => `node -pe 'JSON.parse(require("fs").readFileSync(0)).${field}'`;
const json = `-H 'content-type: application/json'`;

/** The demo company's credentials, shown this once, and the main job step by step, ready to paste. */
export function demoLines(url: string, { slug, logins }: DemoCredentials): string {
  const [admin, agent] = logins;
  if (admin === undefined || agent === undefined) throw new Error('the demo company has an admin and agents');
  const width = Math.max(...logins.map((login) => login.name.length));
  return [
    `A demo company "${slug}" was created. These passwords are shown this once:`,
    ...logins.map(({ name, login, password }) => `  ${name.padEnd(width)}  ${login.padEnd(18)}  ${password}`),
    '',
    'The whole story at once, in another terminal:',
    `  npm run demo:story -- --url ${url} --email ${admin.login} --password ${admin.password}`,
    '',
    'Or step by step, in three other terminals. Terminal 1, a webhook receiver:',
    '  npm run webhook:listen',
    'Terminal 2, as the admin: log in and connect a CRM. The key and the webhook secret are shown this once:',
    `  TOKEN=$(curl -s ${url}/api/auth/login ${json} \\`,
    `    -d '{"email":"${admin.login}","password":"${admin.password}"}' | ${readJson('token')})`,
    `  CONNECTED=$(curl -s ${url}/api/integrations/connect ${json} -H "authorization: Bearer $TOKEN" \\`,
    `    -d '{"crm_provider":"custom","webhook_url":"http://127.0.0.1:4000/"}'); echo "$CONNECTED"`,
    `  KEY=$(echo "$CONNECTED" | ${readJson('api_key')})`,
    'As the CRM, push a customer:',
    `  curl ${url}/api/integrations/inbound ${json} -H "X-Service-Api-Key: $KEY" \\`,
    `    -d '{"phone_number":"+15551230001","data":{"name":"Grace Hopper","open_tickets":2},"tier":"gold"}'`,
    'Terminal 3, an agent whose softphone goes Ready:',
    `  npm run demo:softphone -- --url ${url} --agent ${agent.login} --password ${agent.password}`,
    'Terminal 2, the click: the record pops on the softphone, which dials, talks and wraps up:',
    `  curl ${url}/api/integrations/cti/click-to-dial ${json} -H "X-Service-Api-Key: $KEY" \\`,
    `    -d '{"phone_number":"+15551230001"}'`,
    'Terminal 1 has now received cti_click_to_dial, call_started, call_answered and disposition.',
    '',
  ].join('\n');
}
