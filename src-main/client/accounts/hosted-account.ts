/** What is different for an account of the organization that this computer hosts. */
import type { Account, Connection } from '#shared/bridge/models/client.ts';
import type { HostingStatus } from '#shared/bridge/models/hosting.ts';
import type { ClientPorts, HostingPort } from '../ports.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

type Network = Pick<ClientPorts, 'http' | 'fetchFile'>;

/**
 * The network of such an account: it waits for a service that is starting, and while that does not run, nothing is sent,
 * least of all a key: another program may have its port.
 */
export function hostedNetwork(hosting: HostingPort, { http, fetchFile }: Network): Network {
  async function reach({ url, signal }: { url: string; signal: AbortSignal }): Promise<void> {
    const status = await settledStatus(hosting, signal);
    if (status.phase !== 'running' || !url.startsWith(`${status.address}/`)) {
      throw new Error('the service of this computer does not run there');
    }
  }
  return {
    http: async (request) => {
      await reach(request);
      return http(request);
    },
    fetchFile: async (request) => {
      await reach(request);
      return fetchFile(request);
    },
  };
}

/** As it is once it neither starts nor is left in the middle of it, or as it is when the signal aborts. */
export function settledStatus(hosting: HostingPort, signal?: AbortSignal): Promise<HostingStatus> {
  return new Promise((resolve) => {
    const look = (): void => {
      const status = hosting.status();
      if (status.phase === 'starting' && signal?.aborted !== true) return;
      stop();
      signal?.removeEventListener('abort', look);
      resolve(status);
    };
    const stop = hosting.onStatus(look);
    signal?.addEventListener('abort', look);
    look();
  });
}

/** Why such an account is offline: what its host says, which knows more than that nothing answers. */
export function hostingFailure(connection: Connection, status: HostingStatus): Connection {
  if (connection.state !== 'offline') return connection;
  // This computer goes to sleep, or has just woken: whoever sits here sees nothing of it.
  if (connection.asleepSinceSeconds !== undefined && status.phase === 'running') {
    return { state: 'live' };
  }
  if (status.phase === 'stopped') {
    return { ...connection, reason: clientWords('hosting_stopped').message };
  }
  return status.phase === 'failed' ? { ...connection, reason: status.reason } : connection;
}

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost']);

/** Whether an address is that of the service which runs here, however it was written. */
export function isHostedAt(address: string, status: HostingStatus): boolean {
  if (status.phase !== 'running') return false;
  const [asked, here] = [new URL(address), new URL(status.address)];
  if (asked.origin === here.origin) return true;
  return (
    asked.protocol === here.protocol &&
    asked.port === here.port &&
    loopback.has(asked.hostname) &&
    loopback.has(here.hostname)
  );
}

/** An account as it is to be kept: by the address where the organization is now, where this computer hosts it. */
export function withCurrentAddress(account: Account, status: HostingStatus): Account {
  if (status.phase !== 'running') return account;
  const isHosted = account.isHosted || isHostedAt(account.address, status);
  return isHosted ? { ...account, isHosted, address: status.address } : account;
}
