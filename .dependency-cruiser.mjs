/**
 * Which folder may know which: http / realtime → usecases → ports ← adapters; domain and contract lean on nothing.
 * Types count like values: a type that leaks is a leak.
 */

const code = '^src/';
const npm = '^node_modules/';
/** Whatever is not of this repository. */
const foreign = '^(?!src/)';

/**
 * A folder may import itself and what is listed, nothing else.
 *
 * @param {string} folder below src/
 * @param {string} comment why
 * @param {string[]} mayUse patterns of paths
 */
function only(folder, comment, mayUse) {
  return {
    name: `${folder}-knows-little`,
    comment,
    severity: 'error',
    from: { path: `^src/${folder}/` },
    to: { pathNot: [`^src/${folder}/`, ...mayUse] },
  };
}

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    only('contract', 'What crosses a wire is used by browsers and integrators too: zod, and nothing of the gateway.', [
      `${npm}zod/`,
    ]),
    only('domain', 'Rules are pure: no I/O and no framework, so that they can be read and tested alone.', [
      '^src/(contract|providers|connectors)/',
      `${npm}libphonenumber-js/`,
      '^crypto$',
    ]),
    only(
      'providers',
      'What one CRM system is: data and pure functions, so that every request can be tested without a network.',
      ['^src/contract/', `${npm}(zod|sax)/`, '^crypto$'],
    ),
    only(
      'connectors',
      'What one telephony platform is: data and pure functions, ' +
        'so that all that it sends can be read in tests without it.',
      ['^src/contract/', '^src/providers/(xml|answers|oauth|provider|requests)\\.ts$', '^crypto$'],
    ),
    only(
      'ports',
      'A port speaks the domain’s words; a library’s type in it would bind every adapter to that library.',
      ['^src/(domain|contract|providers|connectors)/'],
    ),
    only('usecases', 'What the service does must not depend on how it is reached or where it stores.', [
      '^src/(ports|domain|contract|providers|connectors)/',
      `${npm}(zod|lru-cache|p-limit)/`,
      '^crypto$',
      // How busy the process is.
      '^perf_hooks$',
    ]),
    only('http', 'REST turns requests into use cases; storage is none of its business.', [
      '^src/(usecases|ports|domain|contract|providers|connectors)/',
      foreign,
    ]),
    only('realtime', 'Socket.IO turns events into use cases; storage is none of its business.', [
      '^src/(usecases|ports|domain|contract)/',
      foreign,
    ]),
    only(
      'client',
      'The softphone client runs in browsers and at integrators: the contract and a socket, nothing else.',
      ['^src/contract/', `${npm}(socket\\.io-client|@socket\\.io/component-emitter)/`],
    ),
    only('webhooks', 'A receiver of webhooks lives at the integrator: the contract and node:crypto, nothing else.', [
      '^src/contract/',
      '^crypto$',
    ]),
    only(
      'demo',
      'The demo is a room beside the others: it calls use cases, answers by the helpers of REST, and stores nothing.',
      [
        '^src/(usecases|ports|domain|contract|http)/',
        // It is the receiver of the demo company's webhooks.
        '^src/webhooks/verify\\.ts$',
        foreign,
      ],
    ),
    only('adapters', 'An adapter makes ports real; it never calls upwards.', [
      '^src/(ports|domain|contract|providers|connectors)/',
      foreign,
    ]),
    {
      name: 'the-gateway-knows-no-page',
      comment: 'Pages are built, and served as files.',
      severity: 'error',
      from: { path: code },
      to: { path: '^web/' },
    },
    {
      name: 'adapters-do-not-know-each-other',
      comment: 'Each adapter can be replaced alone, so none may lean on another.',
      severity: 'error',
      from: { path: '^src/adapters/([^/]+)/' },
      to: { path: '^src/adapters/', pathNot: '^src/adapters/$1/' },
    },
    {
      name: 'the-gateway-receives-no-webhooks',
      comment: 'The receiver’s toolkit is for the other end of the line; the gateway signs with its own rules.',
      severity: 'error',
      // But for the demo's inspector, which is the other end of the line.
      from: { path: code, pathNot: '^src/(webhooks|demo)/' },
      to: { path: '^src/webhooks/' },
    },
    {
      name: 'production-loads-no-demo',
      comment:
        'The demo is loaded where only this machine reaches the gateway, and by nobody but the composition root.',
      severity: 'error',
      from: { path: code, pathNot: '^src/demo/' },
      to: { path: '^src/demo/', dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    {
      name: 'nobody-needs-the-demo',
      comment: 'What leans on the demo would not be there in production.',
      severity: 'error',
      from: { path: code, pathNot: '^src/(demo/|app\\.ts$)' },
      to: { path: '^src/demo/' },
    },
    {
      name: 'one-composition-root',
      comment: 'Only the composition root knows every room; whoever else joins two rooms hides a decision.',
      severity: 'error',
      from: { path: code, pathNot: '^src/(app\\.ts$|app/|adapters/|http/|realtime/|demo/)' },
      to: { path: '^src/(adapters|http|realtime)/' },
    },
    {
      name: 'main-only-starts',
      comment: 'What can be tested belongs into the app; main reads the environment and handles signals.',
      severity: 'error',
      from: { path: '^src/main\\.ts$' },
      to: { path: code, pathNot: '^src/(app\\.ts|app/.+|config\\.ts)$' },
    },
    {
      name: 'nobody-needs-main-or-app',
      comment: 'The composition root is the top; what leans on it could not be composed otherwise.',
      severity: 'error',
      from: { path: code, pathNot: '^src/(main\\.ts|app\\.ts|app/.+)$' },
      to: { path: '^src/(main\\.ts|app\\.ts|app/.+)$' },
    },
    {
      name: 'no-cycles',
      comment: 'Modules in a circle can only be understood, tested and moved together.',
      severity: 'error',
      from: { path: code, pathNot: '^src/adapters/postgres/generated/' },
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'What neither the gateway nor the packages for integrators reach is dead.',
      severity: 'error',
      from: { path: '^src/(main|client/(embed|softphone|watcher)|webhooks/verify)\\.ts$' },
      to: {
        path: code,
        pathNot:
          '^src/(main\\.ts$|client/(embed|softphone|watcher)\\.ts$|webhooks/verify\\.ts$|adapters/postgres/generated/)',
        reachable: false,
      },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that leads nowhere also leads around every rule above.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'production-packages-are-declared',
      comment: 'What package.json does not ask for in production is missing where the gateway runs.',
      severity: 'error',
      from: { path: code },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'] },
    },
  ],
  options: {
    // TypeScript 7 has no API that dependency-cruiser could use.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: npm },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types', 'default'] },
  },
};
