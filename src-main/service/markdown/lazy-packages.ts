import { createRequire } from 'node:module';

const load: (name: string) => unknown = createRequire(import.meta.url);

/** A package that hardly any message needs: several MiB that a service does without until one does. */
export function onDemand(name: string): () => unknown {
  let loaded: unknown;
  return () => (loaded ??= load(name));
}
