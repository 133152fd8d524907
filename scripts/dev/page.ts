import { randomBytes } from 'node:crypto';
import { join, posix } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { createLogger, createServer, type Plugin, type ViteDevServer } from 'vite';
import { projectDir } from '../run.ts';

const at = (...path: readonly string[]): string => join(projectDir, ...path);

/** What the service answers by itself; everything else is the page. */
const OF_THE_SERVICE = '^/(?:api|user_uploads|user_avatars|avatar)(?:/|$)';

/**
 * The pages under the policies that they have in a release, but for what changes them while they are open: Vite brings styles
 * as elements, of which those that carry a secret of this run are allowed, and tells of changes over a line of its own.
 */
function ownPage(nonce: string, port: number): Plugin {
  return {
    name: 'hearth-dev-page',
    configureServer: ({ middlewares }) => {
      middlewares.use((request, _response, next) => {
        if (/^\/(?:\?|$)/.test(request.url ?? '')) request.url = '/web/index.html';
        next();
      });
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (html, { path }) =>
        html
          .replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`)
          // The page of the desktop has an origin of its own, and no network but this line.
          .replace("connect-src 'none'", `connect-src ws://127.0.0.1:${String(port)}`)
          // The page stands at the root, its files do not.
          .replace('src="./main.ts"', `src="${posix.join(posix.dirname(path), 'main.ts')}"`),
    },
  };
}

/** While the service restarts nobody answers, which the page copes with by itself. */
function quietLogger(): ReturnType<typeof createLogger> {
  const logger = createLogger('warn', { allowClearScreen: false });
  const tell = logger.error.bind(logger);
  logger.error = (message, options) => {
    if (!message.includes('proxy error')) tell(message, options);
  };
  return logger;
}

/** Serves the pages from their sources; what changes in them is changed in the open page. */
export async function servePage(service: string, port: number): Promise<ViteDevServer> {
  const nonce = randomBytes(16).toString('base64');
  const server = await createServer({
    configFile: false,
    root: at('src-renderer'),
    cacheDir: at('node_modules', '.cache', 'dev-page'),
    appType: 'mpa',
    customLogger: quietLogger(),
    plugins: [svelte({ configFile: false }), ownPage(nonce, port)],
    html: { cspNonce: nonce },
    build: { target: 'chrome130' },
    // Also what is imported in the middle of a page: whatever turns up later reloads it.
    optimizeDeps: { entries: ['**/*.{ts,svelte}'] },
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      hmr: { protocol: 'ws', host: '127.0.0.1', clientPort: port },
      fs: {
        allow: ['src-main', 'src-preload', 'src-renderer', 'node_modules'].map((name) => at(name)),
      },
      proxy: { [OF_THE_SERVICE]: { target: service } },
    },
  });
  return server.listen();
}
