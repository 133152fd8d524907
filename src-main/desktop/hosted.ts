import type { BridgeCalls, StartState } from '../../src-preload/bridge.ts';
import type { AccountStore } from '../client/ports.ts';
import type { Account } from '../contract/models/client.ts';
import { success, type Outcome } from '../contract/outcome.ts';
import type { DesktopAccountStore } from './account-store.ts';
import type { Hosting } from './hosting.ts';

const DEFAULT_PORT = 9981;

export const hasHosted = (accounts: readonly Account[]): boolean =>
  accounts.some(({ isHosted }) => isHosted);

/** A port given now, else the one that the organization has, because its people know that address. */
export async function hostingPort(
  given: number | undefined,
  accounts: AccountStore,
): Promise<number> {
  if (given !== undefined) return given;
  const hosted = (await accounts.list()).find(({ isHosted }) => isHosted);
  const known = hosted === undefined ? 0 : Number(new URL(hosted.address).port);
  return known === 0 ? DEFAULT_PORT : known;
}

type StartCalls = Pick<BridgeCalls, 'start' | 'retryStart'>;

/** `start` and `retryStart` with what only this shell knows. */
export function startCalls(
  client: StartCalls,
  accounts: DesktopAccountStore,
  hosting: Hosting,
): StartCalls & { readonly startSessions: () => Promise<void> } {
  /** The organization lives here whether somebody is signed in here or not: colleagues reach for it. */
  async function hostWithoutAccount(): Promise<void> {
    if (hosting.isStopped() || hasHosted(await accounts.list())) return;
    if (await hosting.hasData()) await hosting.start();
  }

  function withDamage(started: Outcome<StartState>): Outcome<StartState> {
    const damaged = accounts.takeDamaged();
    if (!started.ok || damaged === undefined || started.value.problem !== null) return started;
    const message = `The list of your organizations was damaged and is now in ${damaged}. Go on and sign in again; nothing else is lost.`;
    return success({ ...started.value, problem: { code: 'ACCOUNTS_DAMAGED', message } });
  }

  const complete = async (start: BridgeCalls['start']): Promise<Outcome<StartState>> => {
    await hostWithoutAccount();
    return withDamage(await start());
  };
  return {
    start: () => complete(client.start),
    retryStart: () => complete(client.retryStart),
    // What is to be said is said to the window, once there is one.
    startSessions: async () => {
      await Promise.all([hostWithoutAccount(), client.start()]);
    },
  };
}
