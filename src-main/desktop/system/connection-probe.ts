/** What the network tells of an address, from its name to the certificate that is shown there. */
import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { ProbeResult, ProbedCertificate } from '#client/diagnostics/facts.ts';
import type { ConnectionProbePort } from '#client/ports.ts';
import { peerOf, provenPeerAt, type Target, targetOf } from '#node/tls/pinned-tls.ts';
import type { OwnNetwork } from '#node/network/own-addresses.ts';
import { isPrivateAddress, isWithin } from '#node/network/private-addresses.ts';

/** A computer of the same office answers within a fraction of that. */
const LIMIT_MS = 4_000;
const MAX_ADDRESSES = 4;

export interface ConnectionProbeParts {
  readonly about: string;
  readonly networks: () => readonly OwnNetwork[];
}

/** None where nobody knows the name, or the resolver does not answer. */
async function addressesOf(host: string): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const late = new Promise<readonly string[]>((resolve) => {
    setTimeout(() => resolve([]), LIMIT_MS).unref();
  });
  const found = lookup(host, { all: true }).then(
    (all) => all.map(({ address }) => address),
    () => [],
  );
  return (await Promise.race([found, late])).slice(0, MAX_ADDRESSES);
}

type PortState = ProbeResult['port'];

function knock(address: string, port: number): Promise<PortState> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    const end = (state: PortState): void => {
      socket.destroy();
      resolve(state);
    };
    socket.setTimeout(LIMIT_MS, () => end('silent'));
    socket.once('connect', () => end('open'));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      end(/^ECONN(?:REFUSED|RESET)$/.test(error.code ?? '') ? 'closed' : 'silent');
    });
  });
}

/** Whichever of the addresses says most. */
async function portAt(addresses: readonly string[], port: number): Promise<PortState> {
  const states = await Promise.all(addresses.map((address) => knock(address, port)));
  return (['open', 'closed'] as const).find((state) => states.includes(state)) ?? 'silent';
}

/** Who has signed it, in the words that a person knows them by. */
const issuerOf = (issuer: string): string => {
  const parts = issuer.split('\n');
  const named = ['O=', 'CN='].flatMap((kind) => parts.find((part) => part.startsWith(kind)) ?? []);
  return (named[0] ?? parts[0] ?? '').replace(/^[A-Z]+=/, '').slice(0, 100);
};

interface SeenPeer extends ProbedCertificate {
  readonly isProvable: boolean;
}

/** The certificate that is shown; null where nobody speaks TLS. */
function certificateAt(target: Target): Promise<SeenPeer | null> {
  return new Promise((resolve) => {
    const servername = isIP(target.host) === 0 ? target.host : '';
    const socket = tlsConnect({ ...target, servername, rejectUnauthorized: false });
    const end = (shown: SeenPeer | null): void => {
      socket.destroy();
      resolve(shown);
    };
    socket.setTimeout(LIMIT_MS, () => end(null));
    socket.once('error', () => end(null));
    socket.once('close', () => end(null));
    socket.once('secureConnect', () => {
      const peer = peerOf(socket);
      if (peer === undefined) {
        end(null);
        return;
      }
      const { leaf, isTrusted, authorityFingerprint } = peer;
      end({
        fingerprint: isTrusted ? null : authorityFingerprint,
        isTrusted,
        isProvable: isTrusted,
        // The declaration calls it an error; it is the code of one.
        fault: isTrusted ? '' : String(socket.authorizationError),
        issuer: issuerOf(leaf.issuer),
        beginsAtMs: leaf.validFromDate.getTime(),
        endsAtMs: leaf.validToDate.getTime(),
      });
    });
  });
}

/** Whether what listens there answers as a web server does, when it is asked for nothing but its first page. */
function speaksHttp({ host, port }: Target): Promise<boolean> {
  return new Promise((resolve) => {
    let text = '';
    const socket: Socket = connect({ host, port });
    const end = (): void => {
      socket.destroy();
      resolve(text.startsWith('HTTP/'));
    };
    socket.setTimeout(LIMIT_MS, end);
    socket.once('error', end);
    socket.once('close', end);
    socket.once('connect', () => {
      const named = host.includes(':') ? `[${host}]` : host;
      socket.write(`HEAD / HTTP/1.1\r\nHost: ${named}\r\nConnection: close\r\n\r\n`);
    });
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      if (text.length >= 'HTTP/'.length) end();
    });
  });
}

type ProtocolAnswer = Pick<ProbeResult, 'protocol' | 'certificate'>;

async function spokenAt(target: Target, isSecure: boolean): Promise<ProtocolAnswer> {
  if (!isSecure && (await speaksHttp(target))) return { protocol: 'http', certificate: null };
  const shown = await certificateAt(target);
  if (shown !== null) {
    const { isProvable, ...certificate } = shown;
    const fingerprint = isProvable
      ? ((await provenPeerAt(target))?.pin ?? null)
      : certificate.fingerprint;
    return { protocol: 'tls', certificate: { ...certificate, fingerprint } };
  }
  const isPlain = isSecure && (await speaksHttp(target));
  return { protocol: isPlain ? 'http' : 'else', certificate: null };
}

const isElsewhere = (addresses: readonly string[], networks: readonly OwnNetwork[]): boolean =>
  addresses.length > 0 &&
  addresses.every(
    (address) =>
      isPrivateAddress(address) &&
      !/^(?:127\.|::1$)/.test(address) &&
      !networks.some(({ subnet }) => isWithin(address, subnet)),
  );

async function look(origin: string, networks: readonly OwnNetwork[]): Promise<ProbeResult> {
  const target = targetOf(origin);
  const redirectsTo = await addressesOf(target.host);
  const isOtherNetwork = isElsewhere(redirectsTo, networks);
  const port = redirectsTo.length === 0 ? 'silent' : await portAt(redirectsTo, target.port);
  const spoken: ProtocolAnswer =
    port === 'open'
      ? await spokenAt(target, origin.startsWith('https:'))
      : { protocol: null, certificate: null };
  return { redirectsTo, isOtherNetwork, port, ...spoken };
}

export const createConnectionProbe = ({
  about,
  networks,
}: ConnectionProbeParts): ConnectionProbePort => ({
  about,
  networks: () => networks().map(({ subnet }) => subnet),
  probe: (origin) => look(origin, networks()),
});
