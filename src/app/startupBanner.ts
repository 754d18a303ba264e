import type { DemoCredentials } from './firstCompany.ts';

/** The addresses of everything, for the person who started the gateway. */
export function addressLines(url: string): string {
  return [
    '',
    `Readyline is at ${url}`,
    `  softphone           ${url}/`,
    `  console             ${url}/admin`,
    `  API documentation   ${url}/docs`,
    `  OpenAPI             ${url}/openapi.json`,
    `  health              ${url}/api/health`,
    `  metrics             ${url}/metrics`,
    '',
  ].join('\n');
}

/**
 * The demo company's log-ins, shown this once, and how to see the main job: by a page, where there is one, and in a
 * terminal.
 */
export function demoLines(url: string, { slug, logins }: DemoCredentials, { hasPage }: { hasPage: boolean }): string {
  const [admin, agent] = logins;
  if (admin === undefined || agent === undefined) throw new Error('the demo company has an admin and agents');
  const width = Math.max(...logins.map((login) => login.name.length));
  // In the fragment, which no server ever sees; the page signs in with them and removes them from its address.
  const page = `${url}/demo#admin=${admin.password}&agent=${agent.password}`;
  return [
    `A demo company "${slug}" was created.`,
    ...(hasPage
      ? [
          'This page leads through the main job in a minute: a click, a call that answers, its webhooks:',
          `  ${page}`,
          '',
        ]
      : []),
    'Its log-ins; these passwords are shown this once:',
    ...logins.map(({ name, login, password }) => `  ${name.padEnd(width)}  ${login.padEnd(18)}  ${password}`),
    '',
    'The main job in other terminals, at once:',
    `  npm run demo:story -- --url ${url} --email ${admin.login} --password ${admin.password}`,
    'or step by step (README.md, "The main job in three terminals"), with this line pasted into each of them first:',
    `  URL=${url} ADMIN_PASSWORD=${admin.password} AGENT_PASSWORD=${agent.password}`,
    '',
  ].join('\n');
}

/** How to get into a demo company whose log-ins an earlier start has shown. */
export function earlierDemoLines(dataDir: string): string {
  return [
    'The log-ins of its demo company were shown when it was created. ' +
      'Its admin gives agents new passwords in the console;',
    'where the admin’s is lost, stop this gateway, move its data away, and start anew with a new demo company:',
    `  mv ${pasted(dataDir)} ${pasted(`${dataDir.replace(/\/+$/, '')}.old`)}`,
    '',
  ].join('\n');
}

/** As a shell reads it. */
function pasted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
