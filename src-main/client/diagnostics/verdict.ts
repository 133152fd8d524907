/** What is wrong with a connection: the first check that fails, and a sentence that says what to do. */
import {
  checkNames,
  type CheckName,
  type CheckStep,
} from '#shared/bridge/models/connection-check.ts';
import type { ConnectionFacts, ProbedCertificate } from './facts.ts';
import type { Explanation } from '#shared/i18n/explained-error.ts';
import { connectionWords } from '#shared/i18n/connection-words.ts';

/** The oldest service that this application can talk to. */
const OLDEST_SERVICE = '0.1.0';

type Finding = 'passed' | 'left-out' | Fault;

const hostOf = ({ address }: ConnectionFacts): string =>
  new URL(address).hostname.replace(/^\[|\]$/g, '');

const portOf = ({ address }: ConnectionFacts): string => {
  const { port, protocol } = new URL(address);
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
};

const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

const versionOf = ({ answered }: ConnectionFacts): string =>
  answered?.kind === 'service' ? answered.version : '';

/** Each says what was found, and what to do. */
const explanations = {
  offline: () => connectionWords('connection_network_missing'),
  'unknown-name': (facts: ConnectionFacts) =>
    connectionWords('connection_name_unknown', { host: hostOf(facts) }),
  'other-network': (facts: ConnectionFacts) =>
    connectionWords('connection_network_other', {
      host: hostOf(facts),
      networks: (facts.ownNetworks ?? []).join(' and '),
    }),
  silent: (facts: ConnectionFacts) =>
    connectionWords('connection_silent', { host: hostOf(facts), port: portOf(facts) }),
  'silent-to-browser': ({ address }: ConnectionFacts) =>
    connectionWords('connection_silent_to_browser', { address }),
  closed: (facts: ConnectionFacts) =>
    connectionWords('connection_closed', { host: hostOf(facts), port: portOf(facts) }),
  'plain-http': ({ address }: ConnectionFacts) =>
    connectionWords('connection_unencrypted', { address }),
  'needs-https': ({ address }: ConnectionFacts) =>
    connectionWords('connection_needs_encryption', { address }),
  'not-a-service': ({ address }: ConnectionFacts) =>
    connectionWords('connection_not_a_service', { address }),
  'other-key': ({ address }: ConnectionFacts) =>
    connectionWords('connection_other_key', { address }),
  'other-name': (facts: ConnectionFacts) =>
    connectionWords('connection_certificate_of_other_names', {
      address: facts.address,
      host: hostOf(facts),
    }),
  'unknown-certificate': ({ address, probe }: ConnectionFacts) =>
    connectionWords('connection_certificate_unknown', {
      address,
      issuer: probe?.certificate?.issuer ?? '',
    }),
  'clock-behind': ({ nowMs, probe }: ConnectionFacts) =>
    connectionWords('connection_clock_behind', {
      today: dayOf(nowMs),
      start: dayOf(probe?.certificate?.beginsAtMs ?? 0),
    }),
  'certificate-ended': ({ nowMs, probe }: ConnectionFacts) =>
    connectionWords('connection_certificate_ended', {
      today: dayOf(nowMs),
      end: dayOf(probe?.certificate?.endsAtMs ?? 0),
    }),
  unanswered: ({ address }: ConnectionFacts) =>
    connectionWords('connection_unanswered', { address }),
  refused: ({ address, answered }: ConnectionFacts) =>
    connectionWords('connection_refused', {
      address,
      reason: answered?.kind === 'refused' ? answered.message : '',
    }),
  'no-organization': ({ address }: ConnectionFacts) =>
    connectionWords('connection_without_organization', { address }),
  'old-service': (facts: ConnectionFacts) =>
    connectionWords('connection_old_service', {
      address: facts.address,
      version: versionOf(facts),
      oldest: OLDEST_SERVICE,
    }),
  'key-refused': () => connectionWords('connection_key_refused'),
  deactivated: () => connectionWords('connection_deactivated'),
} as const;

type Fault = keyof typeof explanations;

function checkAddress({ probe, ownNetworks, answered }: ConnectionFacts): Finding {
  if (probe === null) return answered?.kind === 'nothing' ? 'silent-to-browser' : 'left-out';
  if (probe.port !== 'silent') return 'passed';
  if (ownNetworks?.length === 0) return 'offline';
  return probe.isOtherNetwork && ownNetworks !== null ? 'other-network' : 'silent';
}

function checkTls(facts: ConnectionFacts): Finding {
  if (facts.probe === null) return 'left-out';
  const { protocol } = facts.probe;
  if (isPlain(facts)) {
    if (protocol === 'http') return 'left-out';
    return protocol === 'tls' ? 'needs-https' : 'not-a-service';
  }
  if (protocol === 'tls') return 'passed';
  return protocol === 'http' ? 'plain-http' : 'not-a-service';
}

const outOfDate: Readonly<Record<string, Fault>> = {
  CERT_NOT_YET_VALID: 'clock-behind',
  CERT_HAS_EXPIRED: 'certificate-ended',
};

const isPlain = ({ address }: ConnectionFacts): boolean => address.startsWith('http:');

function checkIdentity(facts: ConnectionFacts): Finding {
  const { fingerprint, probe } = facts;
  if (isPlain(facts)) return fingerprint === null ? 'left-out' : 'other-key';
  const certificate = probe?.certificate ?? null;
  if (certificate === null) return 'left-out';
  if (fingerprint !== null && certificate.fingerprint === fingerprint) return 'passed';
  // Whose it is could be seen only if its dates were right.
  if (outOfDate[certificate.fault] !== undefined) return 'left-out';
  if (certificate.fault === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'other-name';
  return fingerprint === null ? checkStranger(facts, certificate) : 'other-key';
}

function checkStranger({ answered }: ConnectionFacts, { isTrusted }: ProbedCertificate): Finding {
  if (isTrusted) return 'passed';
  // A person compares its safety words.
  return answered?.kind === 'service' ? 'left-out' : 'unknown-certificate';
}

function checkClock({ fingerprint, probe }: ConnectionFacts): Finding {
  const certificate = probe?.certificate;
  if (certificate === undefined || certificate === null) return 'left-out';
  // The key of an office counts, whatever the dates say.
  if (fingerprint !== null && certificate.fingerprint === fingerprint) return 'passed';
  return outOfDate[certificate.fault] ?? 'passed';
}

const isOlder = (version: string, than: string): boolean => {
  const numbers = (text: string): readonly number[] =>
    text.split(/[.+-]/, 3).map((part) => Number.parseInt(part, 10) || 0);
  const [own, other] = [numbers(version), numbers(than)];
  const at = other.findIndex((part, index) => part !== (own[index] ?? 0));
  return at !== -1 && (own[at] ?? 0) < (other[at] ?? 0);
};

function checkVersion({ answered }: ConnectionFacts): Finding {
  switch (answered?.kind) {
    case undefined:
      return 'left-out';
    case 'nothing':
      return 'unanswered';
    case 'strange':
      return 'not-a-service';
    case 'refused':
      return 'refused';
    case 'service':
      if (isOlder(answered.version, OLDEST_SERVICE)) return 'old-service';
      return answered.hasOrganization ? 'passed' : 'no-organization';
  }
}

const checks: Readonly<Record<CheckName, (facts: ConnectionFacts) => Finding>> = {
  name: ({ probe, ownNetworks }) => {
    if (probe === null) return 'left-out';
    if (probe.redirectsTo.length > 0) return 'passed';
    return ownNetworks?.length === 0 ? 'offline' : 'unknown-name';
  },
  address: checkAddress,
  port: ({ probe }) => {
    if (probe === null) return 'left-out';
    return probe.port === 'open' ? 'passed' : 'closed';
  },
  tls: checkTls,
  identity: checkIdentity,
  clock: checkClock,
  version: checkVersion,
  signIn: ({ signIn }) => {
    if (signIn === null) return 'left-out';
    if (signIn === 'accepted') return 'passed';
    return signIn === 'refused' ? 'key-refused' : 'deactivated';
  },
};

export interface Diagnosis {
  readonly steps: readonly CheckStep[];
  readonly fault: Fault | null;
  readonly sentence: string;
}

const well = ({ address, signIn }: ConnectionFacts): Explanation =>
  signIn === null
    ? connectionWords('connection_well', { address })
    : connectionWords('connection_well_signed_in', { address });

export function diagnose(facts: ConnectionFacts): Diagnosis {
  const steps: CheckStep[] = [];
  let fault: Fault | null = null;
  for (const name of checkNames) {
    const found: Finding | null = fault === null ? checks[name](facts) : null;
    if (found === null) steps.push({ name, result: 'not-reached' });
    else if (found === 'passed' || found === 'left-out') steps.push({ name, result: found });
    else {
      fault = found;
      steps.push({ name, result: 'failed' });
    }
  }
  const { message } = fault === null ? well(facts) : explanations[fault](facts);
  return { steps, fault, sentence: message };
}

/** How far it came: the check that failed, or past all. */
const reachOf = ({ steps }: Diagnosis): number => {
  const at = steps.findIndex(({ result }) => result === 'failed');
  return at === -1 ? steps.length : at;
};

/** The address that says most: it came furthest, and stands first. */
export function furthestDiagnosis<T extends { readonly verdict: Diagnosis }>(
  tried: readonly T[],
): T | undefined {
  return tried.toSorted((a, b) => reachOf(b.verdict) - reachOf(a.verdict))[0];
}
