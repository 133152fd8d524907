/** Where the measured service listens. */
import { connect, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

export interface Place {
  readonly host: string;
  readonly port: number;
  /** Node's own authorities, and those of NODE_EXTRA_CA_CERTS, are trusted. */
  readonly isSecure: boolean;
}

export const onThisComputer = (port: number): Place => ({
  host: '127.0.0.1',
  port,
  isSecure: false,
});

/** Undefined where it is no origin: a path or a password would be no part of any request. */
export function placeOf(text: string): Place | undefined {
  if (!/^https?:\/\/[^/?#@]+\/?$/i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, hostname, port } = new URL(text);
  const isSecure = protocol === 'https:';
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    isSecure,
  };
}

/** Settles when bytes can be sent. @param onread  what reads, into one buffer that is used again */
export function reach({ host, port, isSecure }: Place, onread: OnReadOpts): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // The types leave `onread` out; Node hands it on to the socket.
    const options = { host, port, servername: host, noDelay: true, onread };
    const socket = isSecure ? connectSecurely(options) : connect(options);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      socket.off('error', reject);
      socket.setNoDelay(true);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}
