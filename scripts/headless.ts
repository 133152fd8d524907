import { fileURLToPath } from 'node:url';

/**
 * Turns this process into the headless service, options and all. The same process, so that a signal meant for the
 * service reaches the service and nothing is left running behind it.
 *
 * @param from  the build holds a third less memory; the sources need no build
 */
export async function becomeService(from: 'build' | 'sources'): Promise<void> {
  const path = from === 'build' ? '../out/main/serve.js' : '../src-main/serve.ts';
  const entry = new URL(path, import.meta.url);
  process.argv[1] = fileURLToPath(entry);
  await import(entry.href);
}
