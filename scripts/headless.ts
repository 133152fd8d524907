import { fileURLToPath } from 'node:url';

/**
 * Turns this process into the headless service, options and all. The same process, so that a signal meant for the
 * service reaches the service and nothing is left running behind it.
 */
export async function becomeService(): Promise<void> {
  const entry = new URL('../src-main/serve.ts', import.meta.url);
  process.argv[1] = fileURLToPath(entry);
  await import(entry.href);
}
