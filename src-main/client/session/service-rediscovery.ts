/** Finds an office again that is not where it was: by its key, at the other addresses that are known. */
import type { ApiOutcome } from '../transport/answers.ts';
import { success } from '#shared/bridge/outcome.ts';
import type { Clock } from '../ports.ts';

/** Where the office of an account is. */
export interface ServerAddress {
  /** Read for each request: it changes once the office was found elsewhere. */
  address: string;
  /** Where else it may be, the likeliest first. */
  readonly others: () => readonly string[];
  /** Fingerprints by which it goes on once its key is stolen. */
  readonly nextKeys?: () => readonly string[];
  /** Where somebody is heard of who says to have one of these. */
  readonly nextKeyAddresses?: () => readonly string[];
  /** It is not where it was: whoever hears of it elsewhere wakes the session. */
  readonly requestDiscovery?: () => void;
}

export interface AddressSearchParts {
  readonly serverAddress: ServerAddress;
  readonly clock: Clock;
  /** Whether the office answers there, as it goes on; nobody else gets to hear anything. */
  readonly meetAt: (address: string, signal: AbortSignal) => Promise<ApiOutcome<null>>;
  /** Where a computer that it has left says that it is now. */
  readonly forwarded: () => readonly string[];
  /** It is at another address from now on. */
  readonly moved: (address: string) => void;
}

/** An address that answers does so before; the others are left alone then. */
const HEAD_START_MS = 1_500;

/** It is not there. Whatever else goes wrong, the office itself has said. */
const isElsewhere = (outcome: ApiOutcome<null>): boolean =>
  !outcome.ok && (outcome.failure.code === 'UNREACHABLE' || outcome.failure.code === 'LEFT_BEHIND');

export class AddressSearch {
  readonly #parts: AddressSearchParts;

  constructor(parts: AddressSearchParts) {
    this.#parts = parts;
  }

  /** Fails as the address in use does, where no other one is better. */
  async meet(signal: AbortSignal): Promise<ApiOutcome<null>> {
    const { serverAddress, clock, meetAt } = this.#parts;
    const over = new AbortController();
    const ends = AbortSignal.any([signal, over.signal]);
    const here = serverAddress.address;
    const settled = new AbortController();
    const meeting = meetAt(here, ends).finally(() => settled.abort());
    await clock.wait(HEAD_START_MS, AbortSignal.any([settled.signal, signal]));
    const isSettled = settled.signal.aborted && !isElsewhere(await meeting);
    if (isSettled || signal.aborted) return meeting;
    serverAddress.requestDiscovery?.();
    const stays = meeting.then((outcome) => unlessFailed(outcome, here));
    const tried = new Set([here]);
    const tryAll = (addresses: readonly string[]): Promise<string>[] => {
      const others = [...new Set(addresses)].filter((address) => !tried.has(address));
      for (const address of others) tried.add(address);
      return others.map(async (address) => unlessFailed(await meetAt(address, ends), address));
    };
    const known = [stays, ...tryAll([...this.#parts.forwarded(), ...serverAddress.others()])];
    const found = await anyOf(known);
    // One of those that were tried may have said where else to look.
    const address = found ?? (await anyOf(tryAll(this.#parts.forwarded())));
    if (address === undefined) return meeting;
    over.abort();
    if (address !== here) this.#move(address);
    return success(null);
  }

  #move(address: string): void {
    const { serverAddress, moved } = this.#parts;
    serverAddress.address = address;
    moved(address);
  }
}

const anyOf = (tries: readonly Promise<string>[]): Promise<string | undefined> =>
  Promise.any(tries).catch(() => undefined);

function unlessFailed(outcome: ApiOutcome<null>, address: string): string {
  if (outcome.ok) return address;
  throw new Error(outcome.failure.code);
}
