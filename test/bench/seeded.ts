import { openConnection, type Connection } from './load/connection.ts';
import { makeDataDir, removeDataDir, startService, type Started } from './processes.ts';
import { seedMessagesTelling, seedOrganization, type Account } from './seed.ts';

const WARM_UP_MS = 1500;

/** Asks until the code of a request is compiled: a service that runs for a day is always there. */
export async function warmUp(ask: () => Promise<unknown>, ms = WARM_UP_MS): Promise<void> {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt) await ask();
}

export interface Seeded {
  readonly dataDir: string;
  /** Its administrator. */
  readonly account: Account;
  readonly others: readonly Account[];
  readonly service: Started;
  readonly connection: Connection;
}

/** Measures a service that holds many messages, which is gone afterwards. */
export async function withMessages<T>(
  size: { readonly accounts: number; readonly messages: number },
  tell: (line: string) => void,
  measure: (seeded: Seeded) => Promise<T>,
): Promise<T> {
  const dataDir = await makeDataDir();
  const [account, ...others] = await seedOrganization(dataDir, size.accounts);
  if (account === undefined) throw new Error('no accounts');
  seedMessagesTelling(dataDir, size.messages, tell);
  const service = await startService(dataDir);
  const connection = await openConnection(service.port);
  const result = await measure({ dataDir, account, others, service, connection });
  connection.close();
  await service.stop();
  await removeDataDir(dataDir);
  return result;
}
