import type { BridgeCalls, StartState } from '#preload/bridge.ts';
import { createApi } from '#client/transport/api.ts';
import { settledStatus } from '#client/accounts/hosted-account.ts';
import type { AccountStore, Clock, Http } from '#client/ports.ts';
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import type { HostedOrganization } from '#shared/bridge/bridge.ts';
import type { Account } from '#shared/bridge/models/client.ts';
import { success, type Outcome } from '#shared/bridge/outcome.ts';
import type { DesktopAccountStore } from '../storage/account-store.ts';
import type { HostingStore } from '../storage/hosting-store.ts';
import type { Hosting } from './hosting.ts';
import { desktopWords } from '#shared/i18n/desktop-words.ts';

const DEFAULT_PORT = 9981;

export const hasHosted = (accounts: readonly Account[]): boolean =>
  accounts.some(({ isHosted }) => isHosted);

/** A port given now, else the one where the organization was last, because its people know that address. */
export async function hostingPort(
  given: number | undefined,
  kept: HostingStore,
  accounts: AccountStore,
): Promise<number> {
  const last = given ?? (await kept.port());
  if (last !== undefined) return last;
  const hosted = (await accounts.list()).find(({ isHosted }) => isHosted);
  const known = hosted === undefined ? 0 : Number(new URL(hosted.address).port);
  return known === 0 ? DEFAULT_PORT : known;
}

interface HostedParts {
  readonly http: Http;
  readonly clock: Clock;
  readonly accounts: AccountStore;
  readonly hosting: Hosting;
}

/** The organization that lives here and that nobody is signed in to; waits for a service that is starting. */
export async function hostedHere(parts: HostedParts): Promise<HostedOrganization | null> {
  const { http, clock, accounts, hosting } = parts;
  if (hasHosted(await accounts.list()) || !(await hosting.hasData())) return null;
  const status = await settledStatus(hosting);
  if (status.phase !== 'running') return { realmName: '' };
  const api = createApi({ http, clock, address: status.address });
  const settings = await api.call(endpoints.server.settings, {});
  if (!settings.ok) return { realmName: '' };
  const { realm_name: realmName } = settings.value;
  return realmName === undefined ? null : { realmName };
}

/** What the organization that runs here is called; empty where it does not say. */
export async function hostedName({
  http,
  clock,
  hosting,
}: Pick<HostedParts, 'http' | 'clock' | 'hosting'>): Promise<string> {
  const status = hosting.status();
  if (status.phase !== 'running') return '';
  const api = createApi({ http, clock, address: status.address });
  const settings = await api.call(endpoints.server.settings, {});
  return settings.ok ? (settings.value.realm_name ?? '') : '';
}

type StartCalls = Pick<BridgeCalls, 'start' | 'retryStart'>;

/** `start` and `retryStart` with what only this shell knows. */
export function startCalls(
  client: StartCalls,
  accounts: DesktopAccountStore,
  hosting: Hosting,
): StartCalls & { readonly startSessions: () => Promise<void> } {
  let beginning: Promise<void> | undefined;

  /**
   * The organization lives here whether somebody is signed in here or not: colleagues reach for it. The window does not
   * wait for its service, because it shows what is kept of it, and says how the service is doing.
   */
  async function beginHosting(): Promise<void> {
    if (hasHosted(await accounts.list()) || (await hosting.hasService())) void hosting.start();
  }

  function withDamage(started: Outcome<StartState>): Outcome<StartState> {
    const damaged = accounts.takeDamaged();
    if (!started.ok || damaged === undefined || started.value.problem !== null) return started;
    const problem = {
      code: 'ACCOUNTS_DAMAGED',
      ...desktopWords('accounts_damaged', { file: damaged }),
    };
    return success({ ...started.value, problem });
  }

  const complete = async (start: BridgeCalls['start']): Promise<Outcome<StartState>> => {
    await (beginning ??= beginHosting());
    return withDamage(await start());
  };
  return {
    start: () => complete(client.start),
    retryStart: () => complete(client.retryStart),
    // What is to be said is said to the window, once there is one.
    startSessions: async () => {
      await Promise.all([(beginning ??= beginHosting()), client.start()]);
    },
  };
}
