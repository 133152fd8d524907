import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'electron-vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** In a browser the client runs in the page; parts that it loads later share schemas and words with it, and these are in no window. */
const isOfThePage = (id: string): boolean =>
  !/\/(node_modules\/zod|src-main\/(client|shared\/(api|search|pictures|i18n(?!\/(explain|format|en\/explanations)\.ts))))\//.test(
    id,
  );

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      target: 'node20.18',
      // The first requires an ES module, which Node before 22.12 cannot: bundled, that is resolved at build time. The
      // others are three hundred small files, which take longer to open than all else that a start does.
      externalizeDeps: {
        exclude: ['@fastify/static', 'fastify', 'ipaddr.js', 'markdown-it', 'zod'],
      },
      rolldownOptions: {
        // What the framework would load for schemas, logs and tests of its own: we have none of them, and nothing asks for it.
        external: [
          '@fastify/ajv-compiler',
          '@fastify/fast-json-stringify-compiler',
          'light-my-request',
          'pino',
        ],
        input: {
          index: at('src-main/index.ts'),
          'host-worker': at('src-main/hosting/host-worker.ts'),
          'backup-worker': at('src-main/hosting/backup-worker.ts'),
          'indexing-worker': at('src-main/hosting/indexing-worker.ts'),
          // What runs without a window.
          serve: at('src-main/hosting/serve.ts'),
          hearth: at('src-main/cli/hearth.ts'),
        },
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: '[name].js',
          // Names and lines stay, for whoever reads a trace. A start reads half as much without comments, and faster what is ASCII.
          comments: { legal: true, jsdoc: false, annotation: false },
          minify: {
            compress: false,
            mangle: false,
            codegen: { removeWhitespace: false, asciiOnly: true },
          },
        },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      target: 'node20.18',
      // A sandboxed preload is CommonJS and can require nothing but Electron: everything else is inside.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: at('src-preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
      },
    },
  },
  renderer: {
    root: at('src-renderer'),
    base: './',
    plugins: [svelte({ configFile: false })],
    build: {
      outDir: at('out/renderer'),
      target: 'chrome130',
      // Off by default in electron-vite; a browser on a slow network loads this too.
      minify: true,
      rolldownOptions: {
        input: { index: at('src-renderer/index.html'), web: at('src-renderer/web/index.html') },
        output: {
          // What both pages load at once is one file: twenty small ones cost a start more than their size does.
          codeSplitting: {
            groups: [{ name: 'page', tags: ['$initial'], minShareCount: 2, test: isOfThePage }],
          },
        },
      },
    },
  },
});
