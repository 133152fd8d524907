/**
 * Who may import what, as dependency-cruiser rules. One row a layer:
 *   from      the files of the layer
 *   local     files it may import besides its own
 *   types     files of which it may import types only
 *   packages  npm packages it may import
 *   node      whether it may import Node's built-in modules
 */
/** What every process and every page may use: the API and who may do what, what a window and its sessions tell each other, what is found by a search. */
const api =
  '^src-main/shared/(api|i18n|text|pictures)/|^src-main/shared/policies/(?!unread-counts)|^src-main/shared/limits\\.ts$';
/** What is said of failures, and in which words. */
const messages = '^src-main/shared/i18n/';
const bridgeContract =
  '^src-main/shared/(bridge/|policies/unread-counts)|^src-main/shared/join-link\\.ts$';
const search = '^src-main/shared/search/';
const operators = '^src-main/shared/search/operators\\.ts$';
/** What needs nothing but Node. */
const files = '^src-main/node/(error-code|files/(durable-files|free-bytes|read-if-exists))\\.ts$';
const privateAddresses = '^src-main/node/network/private-addresses\\.ts$';
/** What the service and its clients know a server by. */
const identity = '^src-main/node/tls/server-identity\\.ts$';
const node = '^src-main/node/';
const nodeTypes =
  '^src-main/node/(?!error-code|files/(durable-files|free-bytes|read-if-exists)|network/private-addresses|tls/server-identity)';
const service = '^src-main/service/';
const features = `${service}features/`;
const core = `${service}core/`;
const corePorts = `${core}ports/`;
const coreRules = `${core}rules/`;
const events = `${service}events/`;
const markdown = `${service}markdown/`;
const lazyPackages = `${markdown}(lazy-packages|highlight)\\.ts$`;
const security = `${service}security/`;
const rules = `${features}[a-z]+/rules/`;
const queries = `${features}[a-z]+/queries/`;
const operations = `${features}[a-z]+/operations/`;
const handlers = `${features}[a-z]+/handlers/`;
const creations = `${features}[a-z]+/create-[a-z]+\\.ts$`;
const storePort = `${service}db/port\\.ts$`;
const db = `${service}db/(?!sqlite/)`;
const sqlite = `${service}db/sqlite/`;
/** What keeps in memory what was made once. */
const cache = `${service}(core/cache/|db/recently-used\\.ts$)`;
const eventLog = `${service}db/event-log\\.ts$`;
const client = '^src-main/client/';
const desktop = '^src-main/desktop/';
/** What the main process of the desktop starts on threads of its own. */
const threads = '^src-main/hosting/(host|backup-thread)\\.ts$';
const archive = '^src-main/backup/archive/';
const backup = '^src-main/backup/(?!archive/)';
const options = '^src-main/hosting/options/serve-options\\.ts$';
const cli = '^src-main/cli/';
const commandWords = '^src-main/cli/command-words\\.ts$';
const hosting = '^src-main/hosting/(?!(?:host|backup-thread)\\.ts$)';
const bridge = '^src-preload/bridge\\.ts$';
const renderer = '^src-renderer/(?!web/)';
const i18n = '^src-renderer/i18n/';
const lib = '^src-renderer/lib/';
const ui = '^src-renderer/ui/';
const state = '^src-renderer/state/';
const views = '^src-renderer/views/';
const web = '^src-renderer/web/';

/** Operations of a feature import those of the features that stand to its right, and the ground floor. */
const featureOrder = [
  'register',
  'organization',
  'bots',
  'people',
  'streams',
  'reading',
  'messages',
  'files',
];
const ground = [api, search, cache, eventLog, core, rules, markdown, storePort];
const operationRows = Object.fromEntries(
  featureOrder.map((feature, index) => [
    `operations-${feature}`,
    {
      from: `${features}${feature}/operations/`,
      local: [
        ...ground,
        ...featureOrder.slice(index + 1).map((other) => `${features}${other}/operations/`),
      ],
      types: [node],
    },
  ]),
);

/** A room of the desktop imports those that stand to its right. */
const desktopRooms = ['windows', 'hosting', 'menus', 'storage', 'system'];
const desktopRow = {
  local: [api, bridgeContract, search, client, node, commandWords, bridge],
  packages: ['electron', 'electron-updater', 'zod', 'keytar', 'better-sqlite3', 'multicast-dns'],
  node: true,
};
const desktopRoomRows = Object.fromEntries(
  desktopRooms.map((room, index) => [
    `desktop-${room}`,
    {
      ...desktopRow,
      from: `${desktop}${room}/`,
      local: [
        ...desktopRow.local,
        ...desktopRooms.slice(index + 1).map((other) => `${desktop}${other}/`),
      ],
    },
  ]),
);

const layers = {
  api: { from: api, packages: ['zod'] },
  // What crosses between a window and the process behind it, and the keys.
  'bridge-contract': { from: bridgeContract, local: [api], packages: ['zod'] },
  // What a narrow selects and a search finds: the service and the client's cache must agree on it.
  search: { from: search, local: [api] },
  node: {
    from: node,
    local: [messages, '^src-main/shared/limits\\.ts$'],
    packages: ['@scure/bip39', 'ipaddr.js', 'multicast-dns', 'unicode-confusables', 'zod'],
    node: true,
  },
  cache: { from: cache },
  ports: { from: corePorts, local: [api, storePort, markdown, eventLog, search], types: [node] },
  // Rows of the store are facts that rules look at; rules never ask the store.
  rules: {
    from: `${coreRules}|${rules}`,
    local: [api, corePorts, search],
    types: [storePort],
  },
  'markdown-packages': {
    from: lazyPackages,
    local: [markdown],
    packages: ['highlight.js'],
    node: true,
  },
  markdown: {
    from: `${markdown}(?!(?:lazy-packages|highlight)\\.ts$)`,
    local: [api, lazyPackages],
    packages: ['markdown-it', 'sanitize-html', 'katex', 'highlight.js', 're2js', 'diff'],
  },
  // How every feature changes something.
  core: {
    from: `${core}(?!ports/|rules/|cache/)`,
    local: [api, corePorts, search, cache, eventLog, coreRules, markdown, storePort],
    types: [node],
  },
  ...operationRows,
  handlers: {
    from: handlers,
    local: [api, core, coreRules, operations, rules, events, storePort],
  },
  // Each feature is put together in one place.
  features: {
    from: creations,
    local: [api, core, handlers, operations, storePort],
    types: [node],
  },
  queries: { from: queries, local: [api, corePorts, search, db, eventLog] },
  webhooks: {
    from: `${service}webhooks/`,
    local: [api, core, operations, rules, markdown],
  },
  events: {
    from: events,
    local: [api, operators, corePorts, coreRules, cache, eventLog, storePort],
    types: [node],
  },
  db: {
    from: `${service}db/(?!sqlite/|recently-used|event-log)`,
    local: [api, corePorts, search, eventLog, queries],
  },
  'event-log': { from: eventLog, local: [api] },
  'db-sqlite': {
    from: sqlite,
    local: [api, corePorts, search, cache, db, eventLog, queries, files],
    types: [nodeTypes],
    packages: ['better-sqlite3'],
    node: true,
  },
  security: {
    from: security,
    local: [api, files, identity, privateAddresses],
    types: [nodeTypes],
    packages: ['@node-rs/argon2'],
    node: true,
  },
  http: {
    from: `${service}http/`,
    local: [api, corePorts, cache, eventLog, security, identity, files, privateAddresses],
    types: [nodeTypes],
    packages: ['fastify', '@fastify/[^/]+', 'ipaddr.js', 'zod'],
    node: true,
  },
  service: {
    from: `${service}(?:service|start-up|create-events|create-webhooks)\\.ts$`,
    local: [api, `${service}(?!db/sqlite/)`, '^src-main/node/error-code\\.ts$'],
    types: [nodeTypes],
  },
  client: { from: client, local: [api, bridgeContract, search], packages: ['zod'] },
  desktop: {
    ...desktopRow,
    from: `${desktop}(?!start\\.ts$)[^/]+$`,
    local: [...desktopRow.local, desktop],
  },
  // Everything that it imports is loaded before there is a window.
  'desktop-start': {
    from: `${desktop}start\\.ts$`,
    local: [
      '^src-main/node/(log|terminal|files/free-bytes)\\.ts$',
      '^src-main/shared/bridge/outcome\\.ts$',
      messages,
      `${desktop}windows/(bridge|closing|first-answers|held-file-calls|page-protocol|page-calls|place-store|window|zoom)\\.ts$`,
      `${desktop}storage/(account-store|preference-store|profile-folder)\\.ts$`,
      `${desktop}system/(command-line|deep-links|keychain|external-links|login-item|page-server|quit|trust)\\.ts$`,
    ],
    types: [client, bridge],
    packages: ['electron'],
    node: true,
  },
  ...desktopRoomRows,
  // The format of sealed archives: nothing of it knows what an organization is made of.
  archive: {
    from: archive,
    local: [files, messages],
    packages: ['age-encryption', '@scure/bip39'],
    node: true,
  },
  // Copies of an organization, and how one is brought back.
  backup: {
    from: backup,
    local: [api, archive, service, node, options, '^src-main/shared/join-link\\.ts$'],
    packages: ['zod'],
    node: true,
  },
  // The service without a window, and its worker threads.
  hosting: {
    from: hosting,
    local: [api, archive, backup, service, node, '^src-main/shared/join-link\\.ts$'],
    packages: ['smol-toml', 'zod'],
    node: true,
  },
  cli: {
    from: cli,
    local: [
      archive,
      backup,
      service,
      node,
      hosting,
      messages,
      '^src-main/shared/api/(bounds|cause-schema)\\.ts$',
    ],
    types: [api],
    packages: ['zod'],
    node: true,
  },
  threads: { from: threads, local: [node, api, bridgeContract], node: true },
  index: {
    from: '^src-main/index\\.ts$',
    local: [threads, desktop, client, node, '^src-main/cli/hearth\\.ts$'],
    packages: ['electron'],
    node: true,
  },
  bridge: {
    from: bridge,
    local: [bridgeContract, '^src-main/shared/text/same-json\\.ts$'],
    types: ['^src-main/shared/(api/|text/(?!same-json)|pictures/|limits)'],
  },
  preload: {
    from: '^src-preload/index\\.ts$',
    local: [bridge],
    types: [api, bridgeContract],
    packages: ['electron'],
  },
  // Rooms of the window, each with those below it: views, then state, then ui; i18n and lib are the ground floor.
  'renderer-text': { from: i18n, local: [api, bridgeContract], types: [operators] },
  'renderer-lib': {
    from: lib,
    local: [api, operators, bridgeContract, bridge, i18n],
    packages: [
      'dompurify',
      'turndown',
      'unicode-confusables',
      '@zxcvbn-ts/core',
      '@zxcvbn-ts/language-common',
      '@zxcvbn-ts/language-en',
    ],
  },
  'renderer-ui': {
    from: ui,
    local: [api, bridgeContract, bridge, i18n, lib],
    packages: ['svelte', 'virtua', 'bits-ui', 'lean-qr', 'lucide'],
  },
  'renderer-state': {
    from: state,
    local: [api, bridgeContract, bridge, i18n, lib],
    packages: ['svelte'],
  },
  'renderer-views': {
    from: views,
    local: [api, bridgeContract, bridge, i18n, lib, ui, state],
    packages: ['svelte', 'turndown', 'virtua', 'bits-ui', 'lucide'],
  },
  renderer: {
    from: '^src-renderer/(app\\.svelte|main\\.ts|style/|public/)',
    local: [api, bridgeContract, bridge, i18n, state, ui, views, '^src-renderer/web/bridge\\.ts$'],
    packages: ['svelte'],
  },
  web: {
    from: web,
    local: [api, bridgeContract, client, bridge, renderer],
    packages: ['svelte'],
  },
};

const ours = '^(src-main|src-preload|src-renderer|test|scripts|resources)/';

/** Matches a package where it is installed, and by name where only its types resolve (`electron/renderer`). */
const packagePaths = (name) => [`(^|/)node_modules/${name}/`, `^${name}(/|$)`];

function rulesOf([name, { from, local = [], types = [], packages = [], node = false }]) {
  const allowedPackages = packages.flatMap(packagePaths);
  const forbidden = [
    {
      name: `${name}-imports`,
      comment: `${name} may import only what its row in test/layers.cjs names`,
      severity: 'error',
      from: { path: from },
      to: { path: ours, pathNot: [from, ...local, ...types] },
    },
    {
      name: `${name}-packages`,
      comment: `${name} may use only these packages: ${packages.join(', ') || 'none'}`,
      severity: 'error',
      from: { path: from },
      to: {
        dependencyTypesNot: ['core', 'local', 'localmodule'],
        pathNot: [ours, '^\\.', ...allowedPackages],
      },
    },
  ];
  if (types.length > 0) {
    forbidden.push({
      name: `${name}-types`,
      comment: `${name} may import types only`,
      severity: 'error',
      from: { path: from },
      to: {
        path: types,
        // What is named there may be imported whole.
        ...(local.length > 0 ? { pathNot: local } : {}),
        dependencyTypesNot: ['type-only'],
      },
    });
  }
  if (!node) {
    forbidden.push({
      name: `${name}-node`,
      comment: `${name} runs where Node is not, or must not depend on it`,
      severity: 'error',
      from: { path: from },
      to: { dependencyTypes: ['core'] },
    });
  }
  return forbidden;
}

const froms = Object.values(layers).map(({ from }) => from);

module.exports = {
  forbidden: [
    ...Object.entries(layers).flatMap(rulesOf),
    {
      name: 'no-place',
      comment: 'every file belongs to a layer: give it a row, or put it where it belongs',
      severity: 'error',
      from: { path: '^src-', pathNot: froms },
      to: {},
    },
    {
      name: 'no-electron-behind-the-service',
      comment: 'the headless service starts where there is no Electron',
      severity: 'error',
      from: { path: `${hosting}|${cli}` },
      to: { path: packagePaths('electron'), reachable: true },
    },
    {
      name: 'no-fetch-at-a-start',
      comment:
        'Node loads all of fetch for whoever imports node:http, which takes a start 30 ms: import its types, or all of it when it is needed',
      severity: 'error',
      from: { path: '^src-main/(service|node)/' },
      to: { path: '^(node:)?http$', dependencyTypesNot: ['type-only', 'dynamic-import'] },
    },
    {
      name: 'no-tests-in-the-product',
      severity: 'error',
      from: { path: '^src-' },
      to: { path: '^(test|scripts)/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      comment: 'nothing imports it and it imports nothing: delete it',
      severity: 'error',
      from: { orphan: true, path: '^src-', pathNot: ['\\.d\\.ts$', '\\.json$', '\\.css$'] },
      to: {},
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      // `electron/renderer` and its like exist for the type checker and inside Electron only.
      to: {
        couldNotResolve: true,
        pathNot: ['^electron/', '^vitest/browser$'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The last one is taken for the package of the same name, and would import itself.
    exclude: { path: ['^out/', '^test/canary/', '^electron-builder\\.ts$'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'svelte', 'browser', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
