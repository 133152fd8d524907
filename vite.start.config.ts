import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * What comes before the window, as one CommonJS file, and the schemas as others that it loads behind the window. Electron waits
 * for the first one before it does anything else, and as modules the same takes 30 ms longer. What it shares with the rest is
 * there twice: nothing of that may have a state, or a class by which the other half tells something.
 */
export default defineConfig({
  build: {
    outDir: at('out/main'),
    // The rest is there already.
    emptyOutDir: false,
    target: 'node20.18',
    ssr: at('src-main/desktop/start.ts'),
    rolldownOptions: {
      output: { format: 'cjs', entryFileNames: 'start.cjs', chunkFileNames: 'start-[name].cjs' },
    },
  },
  ssr: { noExternal: ['zod'] },
});
