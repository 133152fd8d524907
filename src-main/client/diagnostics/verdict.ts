/** What is wrong with a connection: the first check that fails, and a sentence that says what to do. */
import {
  checkNames,
  type CheckName,
  type CheckStep,
} from '#shared/bridge/models/connection-check.ts';
import type { ConnectionFacts, ProbedCertificate } from './facts.ts';

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
const sentences = {
  offline: () =>
    'This computer is in no network. Connect it to the network of the office, by cable or without.',
  'unknown-name': (facts: ConnectionFacts) =>
    `No computer is known by the name ${hostOf(facts)} here. Check how it is spelled, or type the address in numbers that the Office page of the hosting computer shows.`,
  'other-network': (facts: ConnectionFacts) =>
    `${hostOf(facts)} belongs to another network than this computer, which is in ${(facts.ownNetworks ?? []).join(' and ')}. Join the network of the office, not the one for guests.`,
  silent: (facts: ConnectionFacts) =>
    `No computer answers at ${hostOf(facts)}. See that the hosting computer is on and awake, that both are in the same network, and that its firewall lets port ${portOf(facts)} in.`,
  'silent-to-browser': ({ address }: ConnectionFacts) =>
    `${address} does not answer this browser. See that the hosting computer is on and awake, and that this one is in its network.`,
  closed: (facts: ConnectionFacts) =>
    `There is a computer at ${hostOf(facts)}, and nothing listens at its port ${portOf(facts)}. Open Hearth on the hosting computer, let others join, and compare the port on its Office page.`,
  'plain-http': ({ address }: ConnectionFacts) =>
    `What answers at ${address} speaks without encryption, and Hearth does not. Check the port; a network that wants a sign-in page first may be the reason, too: open a browser and look.`,
  'needs-https': ({ address }: ConnectionFacts) =>
    `What answers at ${address} wants to be spoken to with encryption. Type the address with https:// or with nothing in front.`,
  'not-a-service': ({ address }: ConnectionFacts) =>
    `Another program than Hearth answers at ${address}. Compare address and port with those on the Office page of the hosting computer.`,
  'other-key': ({ address }: ConnectionFacts) =>
    `Another computer answers at ${address}: its key is not the one of your organization. A network that wants a sign-in page first does that, too. Ask where the organization is now; nothing was sent there.`,
  'other-name': (facts: ConnectionFacts) =>
    `The certificate at ${facts.address} was made for other names than ${hostOf(facts)}. Type the name that the organization is known by.`,
  'unknown-certificate': ({ address, probe }: ConnectionFacts) =>
    `Nobody vouches for what answers at ${address}: its certificate is by ${probe?.certificate?.issuer ?? ''}. Check the address; a network that wants a sign-in page first may be the reason, too: open a browser and look.`,
  'clock-behind': ({ nowMs, probe }: ConnectionFacts) =>
    `The clock of this computer says ${dayOf(nowMs)}, and the certificate there begins on ${dayOf(probe?.certificate?.beginsAtMs ?? 0)}. Set the clock of this computer.`,
  'certificate-ended': ({ nowMs, probe }: ConnectionFacts) =>
    `The certificate there has ended on ${dayOf(probe?.certificate?.endsAtMs ?? 0)}, and the clock of this computer says ${dayOf(nowMs)}. Set the clock where that is wrong; otherwise ask whoever runs the service for a new certificate.`,
  unanswered: ({ address }: ConnectionFacts) =>
    `${address} takes the connection and gives no answer. The service there may be starting, or overloaded: wait a minute, then ask whoever runs it.`,
  refused: ({ address, answered }: ConnectionFacts) =>
    `The service at ${address} refuses: ${answered?.kind === 'refused' ? answered.message : ''}`,
  'no-organization': ({ address }: ConnectionFacts) =>
    `The service at ${address} has no organization yet. Create one on its computer.`,
  'old-service': (facts: ConnectionFacts) =>
    `The service at ${facts.address} is Hearth ${versionOf(facts)}, and this application needs ${OLDEST_SERVICE} or newer there. Ask whoever runs it to update it.`,
  'key-refused': () =>
    'The organization answers, and does not accept your sign-in any more. Sign in again.',
  deactivated: () =>
    'The organization answers, and your account is deactivated. Ask an administrator.',
} as const;

type Fault = keyof typeof sentences;

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

const well = (facts: ConnectionFacts): string =>
  facts.signIn === null
    ? `Hearth answers at ${facts.address}, and nothing is wrong with the way there. Try again.`
    : `Hearth answers at ${facts.address} and accepts your sign-in. It connects by itself in a moment.`;

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
  return { steps, fault, sentence: fault === null ? well(facts) : sentences[fault](facts) };
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
