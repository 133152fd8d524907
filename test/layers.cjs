/**
 * Who may import what, as dependency-cruiser rules. One row a layer:
 *   from      the files of the layer
 *   local     files it may import besides its own
 *   types     files of which it may import types only
 *   packages  npm packages it may import
 *   node      whether it may import Node's built-in modules
 */
const contract = '^src-main/contract/';
const bridgeContract = '^src-main/bridge/';
const ports = '^src-main/service/ports/';
const search = '^src-main/search/';
/** What keeps in memory what was made once. */
const cache = '^src-main/service/cache/';
const privateAddresses = '^src-main/platform/private-addresses\\.ts$';
/** What needs nothing but Node. */
const node = '^src-main/platform/(durable-files|error-code|read-if-there)\\.ts$';
/** What the service and its clients know an office by. */
const identity = '^src-main/platform/office-identity\\.ts$';
const platform = '^src-main/platform/';
const rules = '^src-main/service/domain/rules/';
const domain = '^src-main/service/domain/';
const events = '^src-main/service/events/';
const markdown = '^src-main/service/markdown/';
const onDemand = '^src-main/service/markdown/on-demand\\.ts$';
const credentials = '^src-main/service/credentials/';
const store = '^src-main/service/store/(?!sqlite/)';
const domainPorts = '^src-main/service/domain/ports\\.ts$';
const domainChange =
  '^src-main/service/domain/(callers|change|muted-topics|quotas|stream-access|turn)\\.ts$';
const storePort = '^src-main/service/store/port\\.ts$';
const sqlite = '^src-main/service/store/sqlite/';
const service = '^src-main/service/';
const client = '^src-main/client/';
const desktop = '^src-main/desktop/';
const host = '^src-main/(host|keeper)\\.ts$';
const archive = '^src-main/archive/';
/** What an invitation is passed on as, whoever makes it. */
const joinLink = '^src-main/bridge/join-link\\.ts$';
const keeping = '^src-main/keeping/';
const headless =
  '^src-main/(assembly|serve|hearth|host-worker|indexing|indexing-worker|keeping-worker)\\.ts$';
const bridge = '^src-preload/bridge\\.ts$';
const renderer = '^src-renderer/(?!web/)';
const text = '^src-renderer/text/';
const pure = '^src-renderer/pure/';
const ui = '^src-renderer/ui/';
const state = '^src-renderer/state/';
const views = '^src-renderer/views/';
const web = '^src-renderer/web/';

/** A room of the domain imports those that stand to its right, and the ground floor. */
const domainRooms = [
  'initial-state',
  'organization',
  'bots',
  'people',
  'streams',
  'reading',
  'messages',
  'text',
  'files',
];
const domainGround = [contract, ports, search, cache, rules, markdown, storePort, domainPorts];
const domainRoomRows = Object.fromEntries(
  domainRooms.map((room, index) => [
    `domain-${room}`,
    {
      from: `${domain}${room}/`,
      local: [
        ...domainGround,
        domainChange,
        ...domainRooms.slice(index + 1).map((other) => `${domain}${other}/`),
      ],
      types: [platform],
    },
  ]),
);

/** A room of the desktop imports those that stand to its right. */
const desktopRooms = ['windows', 'hosting', 'menus', 'storage', 'system'];
const desktopRow = {
  local: [contract, bridgeContract, search, client, platform, bridge],
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
  contract: { from: contract, packages: ['zod'] },
  // What crosses between a window and the process behind it, and the keys.
  'bridge-contract': { from: bridgeContract, local: [contract], packages: ['zod'] },
  // What the parts of the service share: how a call is handed over, the log's interface, limits.
  ports: { from: ports, local: [contract] },
  cache: { from: cache },
  // What a narrow selects and a search finds: the service and the client's cache must agree on it.
  search: { from: search, local: [contract] },
  platform: {
    from: platform,
    local: ['^src-main/service/ports/limits\\.ts$'],
    packages: ['@scure/bip39', 'multicast-dns', 'unicode-confusables', 'zod'],
    node: true,
  },
  // Rows of the store are facts that rules look at; rules never ask the store.
  rules: { from: rules, local: [contract, ports, search], types: [storePort] },
  'markdown-packages': { from: onDemand, node: true },
  markdown: {
    from: '^src-main/service/markdown/(?!on-demand)',
    local: [contract, onDemand],
    packages: ['markdown-it', 'sanitize-html', 'katex', 'highlight.js', 're2js', 'diff'],
  },
  'domain-ports': { from: domainPorts, local: domainGround, types: [platform] },
  // How every room changes something.
  'domain-change': { from: domainChange, local: domainGround, types: [platform] },
  ...domainRoomRows,
  api: { from: '^src-main/service/api/', local: [contract, ports, domain, events] },
  webhooks: { from: '^src-main/service/webhooks/', local: [contract, ports, domain, markdown] },
  events: { from: events, local: [contract, ports, cache, rules, storePort], types: [platform] },
  store: { from: store, local: [contract, ports, search] },
  'store-sqlite': {
    from: sqlite,
    local: [contract, ports, search, cache, store, node],
    types: ['^src-main/platform/(?!durable-files|error-code|read-if-there)'],
    packages: ['better-sqlite3'],
    node: true,
  },
  credentials: {
    from: credentials,
    local: [contract, node, identity, privateAddresses],
    types: [
      '^src-main/platform/(?!durable-files|error-code|read-if-there|office-identity|private-addresses)',
    ],
    packages: ['@node-rs/argon2'],
    node: true,
  },
  http: {
    from: '^src-main/service/http/',
    local: [contract, ports, cache, credentials, identity, node, privateAddresses],
    types: [
      '^src-main/platform/(?!durable-files|error-code|read-if-there|office-identity|private-addresses)',
    ],
    packages: ['fastify', '@fastify/[^/]+', 'zod'],
    node: true,
  },
  service: {
    from: '^src-main/service/(?:service|starting|telling|delivering)\\.ts$',
    local: [contract, '^src-main/service/(?!store/sqlite/)', '^src-main/platform/error-code\\.ts$'],
    types: ['^src-main/platform/(?!error-code)'],
  },
  client: { from: client, local: [contract, bridgeContract, search], packages: ['zod'] },
  desktop: {
    ...desktopRow,
    from: `${desktop}(?!start\\.ts$)[^/]+$`,
    local: [...desktopRow.local, desktop],
  },
  // Everything that it imports is loaded before there is a window.
  'desktop-start': {
    from: `${desktop}start\\.ts$`,
    local: [
      '^src-main/platform/(log|terminal)\\.ts$',
      '^src-main/bridge/outcome\\.ts$',
      `${desktop}windows/(bridge|closing|first-answers|page|page-calls|place-store|window|zoom)\\.ts$`,
      `${desktop}storage/(account-store|preference-store|profile-folder)\\.ts$`,
      `${desktop}system/(command-line|deep-links|keychain|links|login-item|page-server|quit|trust)\\.ts$`,
    ],
    types: [client, bridge],
    packages: ['electron'],
    node: true,
  },
  ...desktopRoomRows,
  // The format of sealed archives: nothing of it knows what an office is made of.
  archive: {
    from: archive,
    local: [node],
    packages: ['age-encryption', '@scure/bip39'],
    node: true,
  },
  // Copies of an organization, and how one is brought back.
  keeping: {
    from: keeping,
    local: [contract, archive, service, platform, joinLink],
    packages: ['zod'],
    node: true,
  },
  headless: {
    from: headless,
    local: [archive, keeping, service, platform],
    types: [contract],
    node: true,
  },
  host: { from: host, local: [platform, contract, bridgeContract], node: true },
  index: {
    from: '^src-main/index\\.ts$',
    local: [host, desktop, client, platform, '^src-main/hearth\\.ts$'],
    packages: ['electron'],
    node: true,
  },
  bridge: { from: bridge, local: [bridgeContract], types: [contract] },
  preload: {
    from: '^src-preload/index\\.ts$',
    local: [bridge],
    types: [contract, bridgeContract],
    packages: ['electron'],
  },
  // Rooms of the window, each with those below it: views, then state, then ui; text and pure are the ground floor.
  'renderer-text': { from: text, local: [contract, bridgeContract] },
  'renderer-pure': {
    from: pure,
    local: [contract, bridgeContract, bridge, text],
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
    local: [contract, bridgeContract, bridge, text, pure],
    packages: ['svelte', 'virtua', 'bits-ui', 'lean-qr', 'lucide'],
  },
  'renderer-state': {
    from: state,
    local: [contract, bridgeContract, bridge, text, pure],
    packages: ['svelte'],
  },
  'renderer-views': {
    from: views,
    local: [contract, bridgeContract, bridge, text, pure, ui, state],
    packages: ['svelte', 'turndown', 'virtua', 'bits-ui', 'lucide'],
  },
  renderer: {
    from: '^src-renderer/(app\\.svelte|main\\.ts|style/|public/)',
    local: [
      contract,
      bridgeContract,
      bridge,
      text,
      state,
      ui,
      views,
      '^src-renderer/web/bridge\\.ts$',
    ],
    packages: ['svelte'],
  },
  web: {
    from: web,
    local: [contract, bridgeContract, client, bridge, renderer],
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
      to: { path: types, dependencyTypesNot: ['type-only'] },
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
      from: { path: headless },
      to: { path: packagePaths('electron'), reachable: true },
    },
    {
      name: 'no-fetch-at-a-start',
      comment:
        'Node loads all of fetch for whoever imports node:http, which takes a start 30 ms: import its types, or all of it when it is needed',
      severity: 'error',
      from: { path: '^src-main/(service|platform)/' },
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
