/** Runs the checks of a connection that does not come about, at every address that is known. */
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import type { CheckSubject, ConnectionReport } from '#shared/bridge/models/connection-check.ts';
import type { Account } from '#shared/bridge/models/client.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import { pinnedHttp } from '../accounts/server-identity.ts';
import type { ClientPorts, Http } from '../ports.ts';
import { originsFor } from '../transport/address.ts';
import { createApi } from '../transport/api.ts';
import type { Answered, Facts } from './facts.ts';
import { reportText, type Tried } from './report.ts';
import { furthest, verdictOn } from './verdict.ts';

/** Somebody waits in front of it. */
const LIMIT_MS = 10_000;

type Ports = Pick<ClientPorts, 'http' | 'clock' | 'reach' | 'device'>;

export interface CheckedAccount {
  readonly account: Account;
  /** Null where it is not here any more. */
  readonly key: string | null;
}

interface Aim {
  readonly addresses: readonly string[];
  readonly pin: string | null;
  readonly who: CheckedAccount | null;
}

function aimAt(who: CheckedAccount): Aim {
  const { address, addresses = [], pin = null, isHosted } = who.account;
  // On its own computer an office is spoken to without TLS.
  if (isHosted) return { addresses: [address], pin: null, who };
  return { addresses: [address, ...addresses], pin, who };
}

/** What the service says of itself; nothing of an account is told to it. */
async function ask(ports: Ports, http: Http, address: string): Promise<Answered> {
  const api = createApi({ http, clock: ports.clock, address });
  const asked = await api.call(endpoints.server.settings, {}, { limitMs: LIMIT_MS });
  if (asked.ok) {
    const { chat_version: version, realm_name: realmName } = asked.value;
    return { kind: 'service', version, hasOrganization: realmName !== undefined };
  }
  const { code, message } = asked.failure;
  if (code === 'UNREACHABLE') return { kind: 'nothing' };
  return code === 'BAD_ANSWER' || code === 'NOT_FOUND'
    ? { kind: 'strange' }
    : { kind: 'refused', message };
}

async function signInWith(
  ports: Ports,
  http: Http,
  address: string,
  { account, key }: CheckedAccount,
): Promise<Facts['signIn']> {
  if (key === null) return 'refused';
  // Its number is good whatever e-mail address it has by now.
  const credentials = { email: String(account.userId), key };
  const api = createApi({ http, clock: ports.clock, address, credentials });
  const asked = await api.call(endpoints.users.me, {}, { limitMs: LIMIT_MS });
  if (asked.ok) return 'accepted';
  const { code, status } = asked.failure;
  if (code === 'USER_DEACTIVATED') return 'deactivated';
  return status === 401 ? 'refused' : null;
}

/** Where the network says that nobody could answer, nobody is asked; nor is somebody who is not the office. */
function mayBeAsked(facts: Facts): boolean {
  const { address, pin, reached } = facts;
  if (reached === null) return true;
  const usual = address.startsWith('https:') ? 'tls' : 'http';
  if (reached.port !== 'open' || reached.speaks !== usual) return false;
  return pin === null || verdictOn(facts).fault === null;
}

/** Whoever shows the key that is expected, or the one that is there, is asked: not whoever comes after them. */
function networkFor({ http }: Ports, { address, pin, reached }: Facts): Http {
  const shown = pin ?? reached?.certificate?.pin ?? null;
  return shown !== null && address.startsWith('https:') ? pinnedHttp(http, shown) : http;
}

/** The key is shown to nobody but the service that the account belongs to. */
function mayBeTold({ address, pin, answered }: Facts, { account }: CheckedAccount): boolean {
  return answered !== null && (pin !== null || account.address === address);
}

async function look(ports: Ports, { pin, who }: Aim, address: string): Promise<Tried> {
  const { reach, clock } = ports;
  const seen: Facts = {
    ...{ address, pin, nowMs: clock.now(), answered: null, signIn: null },
    ownNetworks: reach?.networks() ?? null,
    reached: reach === undefined ? null : await reach.look(address),
  };
  if (!mayBeAsked(seen)) return { facts: seen, verdict: verdictOn(seen) };
  const http = networkFor(ports, seen);
  const asked = { ...seen, answered: await ask(ports, http, address) };
  const verdict = verdictOn(asked);
  if (who === null || verdict.fault !== null || !mayBeTold(asked, who)) {
    return { facts: asked, verdict };
  }
  const facts = { ...asked, signIn: await signInWith(ports, http, address, who) };
  return { facts, verdict: verdictOn(facts) };
}

export interface KnownAccounts {
  readonly find: (accountId: string) => CheckedAccount | undefined;
  readonly knownPin: (address: string) => string | undefined;
}

function aimOf(subject: CheckSubject, { find, knownPin }: KnownAccounts): Outcome<Aim> {
  switch (subject.kind) {
    case 'account': {
      const who = find(subject.accountId);
      return who === undefined
        ? failure('NO_ACCOUNT', 'This account is not on this computer.')
        : success(aimAt(who));
    }
    case 'invitation': {
      const { addresses, pin } = subject;
      return success({ addresses, pin, who: null });
    }
    case 'address': {
      const origins = originsFor(subject.address);
      if (!origins.ok) return origins;
      const pin = origins.value.map(knownPin).find((known) => known !== undefined) ?? null;
      return success({ addresses: origins.value, pin, who: null });
    }
  }
}

export async function checkConnection(
  ports: Ports,
  subject: CheckSubject,
  accounts: KnownAccounts,
): Promise<Outcome<ConnectionReport>> {
  const aim = aimOf(subject, accounts);
  if (!aim.ok) return aim;
  const { addresses, who } = aim.value;
  const tried = await Promise.all(addresses.map((address) => look(ports, aim.value, address)));
  const best = furthest(tried);
  if (best === undefined) return failure('BAD_REQUEST', 'There is no address to look at.');
  const { sentence, steps, fault } = best.verdict;
  const head = {
    nowMs: ports.clock.now(),
    about: ports.reach?.about ?? ports.device?.client ?? '',
    ownNetworks: best.facts.ownNetworks,
    realmName: who?.account.realmName ?? '',
  };
  return success({
    ...{ isWell: fault === null, sentence, address: best.facts.address, steps },
    text: reportText(head, tried),
  });
}
