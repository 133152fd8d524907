/** How services sign what they deliver, with a secret that they share with the bot (API decisions 12.1). */

/** What was signed, as it arrived. */
export interface Signed {
  readonly secret: string;
  readonly body: Uint8Array;
  readonly header: (name: string) => string | undefined;
  readonly nowSeconds: number;
}

/** Whether the signature is right. Takes the same time however much of it is. */
export type Scheme = (signed: Signed) => Promise<boolean>;

type Hash = 'SHA-1' | 'SHA-256';

const encoder = new TextEncoder();
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

const fromHex = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  /^(?:[0-9a-f]{2})+$/i.test(text)
    ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    : undefined;

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

async function isRight(
  secret: string,
  data: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer> | undefined,
  hash: Hash,
): Promise<boolean> {
  if (signature === undefined) return false;
  const key = bytesOf(secret);
  const algorithm = { name: 'HMAC', hash };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify']);
  return crypto.subtle.verify('HMAC', imported, signature, data);
}

const concat = (head: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const start = bytesOf(head);
  const whole = new Uint8Array(start.length + body.length);
  whole.set(start);
  whole.set(body, start.length);
  return whole;
};

/** The time in a signature may be so far from now, so that nothing that was overheard is good for long. */
const TOLERANCE_SECONDS = 300;
const isRecent = (timestamp: string, nowSeconds: number): boolean =>
  /^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) - nowSeconds) <= TOLERANCE_SECONDS;

interface Form {
  readonly header: string;
  /** What stands before the signature: `sha256=`. Headers may name several, with commas between. */
  readonly prefix?: string;
  readonly hash?: Hash;
  readonly encoding?: 'hex' | 'base64';
}

/** HMAC of the body. */
export function signedBody(...forms: readonly Form[]): Scheme {
  return async ({ secret, body, header }) => {
    for (const { header: name, prefix = '', hash = 'SHA-256', encoding = 'hex' } of forms) {
      for (const given of header(name)?.split(',') ?? []) {
        const text = given.trim();
        if (!text.startsWith(prefix)) continue;
        const decode = encoding === 'hex' ? fromHex : fromBase64;
        const signature = decode(text.slice(prefix.length));
        if (await isRight(secret, concat('', body), signature, hash)) return true;
      }
    }
    return false;
  };
}

/** The secret itself in a header, compared by a key of the moment: so the time tells nothing. */
export const sharedToken =
  (name: string): Scheme =>
  async ({ secret, header }) => {
    const algorithm = { name: 'HMAC', hash: 'SHA-256', length: 256 };
    const key = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
    const right = await crypto.subtle.sign('HMAC', key, bytesOf(secret));
    return crypto.subtle.verify('HMAC', key, right, bytesOf(header(name) ?? ''));
  };

/** Stripe's: `t=SECONDS,v1=HEX`, over the time and the body. */
export const stripeSignature: Scheme = async ({ secret, body, header, nowSeconds }) => {
  const pairs = (header('stripe-signature') ?? '').split(',').map((pair) => pair.trim().split('='));
  const timestamp = pairs.find(([name]) => name === 't')?.[1] ?? '';
  if (!isRecent(timestamp, nowSeconds)) return false;
  for (const [name, value = ''] of pairs) {
    if (name !== 'v1') continue;
    if (await isRight(secret, concat(`${timestamp}.`, body), fromHex(value), 'SHA-256'))
      return true;
  }
  return false;
};

/** Slack's: `v0=HEX` over the version, the time and the body. */
export const slackSignature: Scheme = async ({ secret, body, header, nowSeconds }) => {
  const timestamp = header('x-slack-request-timestamp') ?? '';
  if (!isRecent(timestamp, nowSeconds)) return false;
  const signature = fromHex((header('x-slack-signature') ?? '').replace(/^v0=/, ''));
  return isRight(secret, concat(`v0:${timestamp}:`, body), signature, 'SHA-256');
};

/** Zendesk's: base64 over the time, as it is written, and the body. */
export const zendeskSignature: Scheme = ({ secret, body, header, nowSeconds }) => {
  const timestamp = header('x-zendesk-webhook-signature-timestamp') ?? '';
  const seconds = String(Math.floor(Date.parse(timestamp) / 1000));
  if (!isRecent(seconds, nowSeconds)) return Promise.resolve(false);
  const signature = fromBase64(header('x-zendesk-webhook-signature') ?? '');
  return isRight(secret, concat(timestamp, body), signature, 'SHA-256');
};
