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
import type { ServerAnswer, ConnectionFacts } from './facts.ts';
import { reportText, type AttemptedAddress } from './report.ts';
import { furthestDiagnosis, diagnose } from './verdict.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

/** Somebody waits in front of it. */
const LIMIT_MS = 10_000;

type Ports = Pick<ClientPorts, 'http' | 'clock' | 'connectionProbe' | 'device'>;

export interface CheckedAccount {
  readonly account: Account;
  /** Null where it is not here any more. */
  readonly key: string | null;
}

interface CheckTarget {
  readonly addresses: readonly string[];
  readonly pin: string | null;
  readonly who: CheckedAccount | null;
}

function aimAt(who: CheckedAccount): CheckTarget {
  const { address, addresses = [], pin = null, isHosted } = who.account;
  // On its own computer an office is spoken to without TLS.
  if (isHosted) return { addresses: [address], pin: null, who };
  return { addresses: [address, ...addresses], pin, who };
}

/** What the service says of itself; nothing of an account is told to it. */
async function ask(ports: Ports, http: Http, address: string): Promise<ServerAnswer> {
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
): Promise<ConnectionFacts['signIn']> {
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
function mayBeAsked(facts: ConnectionFacts): boolean {
  const { address, fingerprint, probe } = facts;
  if (probe === null) return true;
  const usual = address.startsWith('https:') ? 'tls' : 'http';
  if (probe.port !== 'open' || probe.protocol !== usual) return false;
  return fingerprint === null || diagnose(facts).fault === null;
}

/** Whoever shows the key that is expected, or the one that is there, is asked: not whoever comes after them. */
function networkFor({ http }: Ports, { address, fingerprint, probe }: ConnectionFacts): Http {
  const shown = fingerprint ?? probe?.certificate?.fingerprint ?? null;
  return shown !== null && address.startsWith('https:') ? pinnedHttp(http, shown) : http;
}

/** The key is shown to nobody but the service that the account belongs to. */
function mayBeTold(
  { address, fingerprint, answered }: ConnectionFacts,
  { account }: CheckedAccount,
): boolean {
  return answered !== null && (fingerprint !== null || account.address === address);
}

async function look(
  ports: Ports,
  { pin: fingerprint, who }: CheckTarget,
  address: string,
): Promise<AttemptedAddress> {
  const { connectionProbe, clock } = ports;
  const seen: ConnectionFacts = {
    address,
    fingerprint,
    nowMs: clock.now(),
    answered: null,
    signIn: null,
    ownNetworks: connectionProbe?.networks() ?? null,
    probe: connectionProbe === undefined ? null : await connectionProbe.probe(address),
  };
  if (!mayBeAsked(seen)) return { facts: seen, verdict: diagnose(seen) };
  const http = networkFor(ports, seen);
  const asked = { ...seen, answered: await ask(ports, http, address) };
  const verdict = diagnose(asked);
  if (who === null || verdict.fault !== null || !mayBeTold(asked, who)) {
    return { facts: asked, verdict };
  }
  const facts = { ...asked, signIn: await signInWith(ports, http, address, who) };
  return { facts, verdict: diagnose(facts) };
}

export interface KnownAccounts {
  readonly find: (accountId: string) => CheckedAccount | undefined;
  readonly knownFingerprint: (address: string) => string | undefined;
}

function aimOf(
  subject: CheckSubject,
  { find, knownFingerprint }: KnownAccounts,
): Outcome<CheckTarget> {
  switch (subject.kind) {
    case 'account': {
      const who = find(subject.accountId);
      return who === undefined
        ? failure('NO_ACCOUNT', clientWords('account_not_here'))
        : success(aimAt(who));
    }
    case 'invitation': {
      const { addresses, pin } = subject;
      return success({ addresses, pin, who: null });
    }
    case 'address': {
      const origins = originsFor(subject.address);
      if (!origins.ok) return origins;
      const pin = origins.value.map(knownFingerprint).find((known) => known !== undefined) ?? null;
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
  const best = furthestDiagnosis(tried);
  if (best === undefined) return failure('BAD_REQUEST', clientWords('no_address_to_check'));
  const { sentence, steps, fault } = best.verdict;
  const head = {
    nowMs: ports.clock.now(),
    about: ports.connectionProbe?.about ?? ports.device?.client ?? '',
    ownNetworks: best.facts.ownNetworks,
    realmName: who?.account.realmName ?? '',
  };
  return success({
    isWell: fault === null,
    sentence,
    address: best.facts.address,
    steps,
    text: reportText(head, tried),
  });
}
