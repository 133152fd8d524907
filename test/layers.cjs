/**
 * Who may import what, as dependency-cruiser rules. One row a layer:
 *   from      the files of the layer
 *   local     files it may import besides its own
 *   types     files of which it may import types only
 *   packages  npm packages it may import
 *   node      whether it may import Node's built-in modules
 */
const contract = '^src-main/contract/';
const search = '^src-main/search/';
const platform = '^src-main/platform/';
const rules = '^src-main/service/domain/rules/';
const domain = '^src-main/service/domain/';
const events = '^src-main/service/events/';
const markdown = '^src-main/service/markdown/';
const images = '^src-main/service/images/';
const credentials = '^src-main/service/credentials/';
const store = '^src-main/service/store/(?!sqlite/)';
const storePort = '^src-main/service/store/port\\.ts$';
const sqlite = '^src-main/service/store/sqlite/';
const service = '^src-main/service/';
const client = '^src-main/client/';
const desktop = '^src-main/desktop/';
const host = '^src-main/host\\.ts$';
const headless = '^src-main/(compose|serve|host-worker)\\.ts$';
const bridge = '^src-preload/bridge\\.ts$';
const renderer = '^src-renderer/(?!web/)';
const web = '^src-renderer/web/';

const layers = {
  contract: { from: contract, packages: ['zod'] },
  // What a search finds: the service and the client's cache must agree on it.
  search: { from: search },
  platform: { from: platform, local: ['^src-main/contract/limits\\.ts$'], node: true },
  // Rows of the store are facts that rules look at; rules never ask the store.
  rules: { from: rules, local: [contract, search], types: [storePort] },
  markdown: {
    from: markdown,
    local: [contract],
    packages: ['markdown-it', 'sanitize-html', 'katex', 'highlight.js', 're2js', 'diff'],
  },
  domain: {
    from: '^src-main/service/domain/(?!rules/)',
    local: [contract, search, rules, markdown, images, storePort],
    types: [platform],
  },
  images: { from: images, packages: ['image-size'] },
  api: { from: '^src-main/service/api/', local: [contract, domain, events] },
  webhooks: { from: '^src-main/service/webhooks/', local: [contract, domain, markdown] },
  events: { from: events, local: [contract, rules, storePort], types: [platform] },
  store: { from: store, local: [contract] },
  'store-sqlite': {
    from: sqlite,
    local: [contract, store],
    types: [platform],
    packages: ['better-sqlite3'],
    node: true,
  },
  credentials: { from: credentials, local: [contract], packages: ['@node-rs/argon2'], node: true },
  http: {
    from: '^src-main/service/http/',
    local: [contract, credentials],
    types: [platform],
    packages: ['fastify', '@fastify/[^/]+', 'zod'],
    node: true,
  },
  service: {
    from: '^src-main/service/service\\.ts$',
    local: [contract, '^src-main/service/(?!store/sqlite/)'],
    types: [platform],
  },
  client: { from: client, local: [contract, search], packages: ['zod'] },
  desktop: {
    from: desktop,
    local: [contract, search, client, platform, bridge],
    packages: ['electron', 'electron-updater', 'zod', 'keytar', 'better-sqlite3'],
    node: true,
  },
  headless: {
    from: headless,
    local: [service, platform],
    types: [contract],
    node: true,
  },
  host: { from: host, local: [platform, contract], node: true },
  index: {
    from: '^src-main/index\\.ts$',
    local: [host, desktop, client, platform],
    packages: ['electron'],
    node: true,
  },
  bridge: { from: bridge, types: [contract] },
  preload: {
    from: '^src-preload/index\\.ts$',
    local: [bridge],
    types: [contract],
    packages: ['electron'],
  },
  renderer: {
    from: renderer,
    local: [contract, bridge, '^src-renderer/web/bridge\\.ts$'],
    packages: ['svelte', 'dompurify', 'turndown', 'virtua', 'bits-ui', '@lucide/svelte'],
  },
  web: { from: web, local: [contract, client, bridge, renderer], packages: ['svelte'] },
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
      // `electron/renderer` and its like exist for the type checker and inside Electron only; of some icons only the code.
      to: {
        couldNotResolve: true,
        pathNot: ['^electron/', '^vitest/browser$', '^@lucide/svelte/icons/'],
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
