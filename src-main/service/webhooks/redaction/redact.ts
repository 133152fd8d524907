/**
 * Takes secrets out of what is kept of a delivery (API decisions 15.12): those that are known, and each value that stands under
 * the name of a secret, wherever and however encoded they recur. Takes time in proportion to the text.
 */
import { findNamed } from './named-secrets.ts';
import { searchFor } from './pattern-search.ts';
import { plainViewsOf, type View, viewsOf } from './views.ts';

/** What is shorter is taken out where it is named, and not looked for elsewhere. UTF-8 bytes. */
export const MIN_SECRET_BYTES = 4;
/** Of all secrets together: of a text with more nothing is kept. */
const MAX_SECRET_BYTES = 256 * 1024;
export const REDACTED = '[redacted]';

const NO_SECRETS: ReadonlySet<string> = new Set(['true', 'false', 'null', REDACTED]);
const SCHEME = /^(?:apikey|basic|bearer|digest|hmac|key|negotiate|splunk|token)\s+/i;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** The parts of a cookie, a signature or of credentials that are secrets for themselves. */
function partsOf(secret: string): readonly string[] {
  const bare = secret.trim().replace(SCHEME, '');
  const decoded = Buffer.from(bare, 'base64').toString('latin1');
  const colon = /^[\x20-\x7e]+$/.test(decoded) ? decoded.indexOf(':') : -1;
  const pairs = bare.includes('=') ? bare.split(/[;,\s]+/) : bare.split(/[;,]/);
  return [
    ...[secret, secret.trim(), bare],
    ...(colon < 0 ? [] : [decoded, decoded.slice(colon + 1)]),
    ...pairs.flatMap((pair) => [pair, pair.slice(pair.indexOf('=') + 1)]),
  ];
}

/** Bytes as Latin-1, each secret once. */
class Secrets {
  readonly #all = new Set<string>();
  #size = 0;

  /** @param secret  bytes as Latin-1 */
  add(secret: string): void {
    for (const part of partsOf(secret)) {
      if (part.length < MIN_SECRET_BYTES || NO_SECRETS.has(part) || this.#all.has(part)) continue;
      this.#all.add(part);
      this.#size += part.length;
    }
  }

  get areTooMany(): boolean {
    return this.#size > MAX_SECRET_BYTES;
  }

  get search(): ReturnType<typeof searchFor> {
    return searchFor(Array.from(this.#all, bytesOf));
  }
}

/** Which bytes of a text go: written as where ranges begin and end, so that it does not matter how many there are. */
class Marks {
  readonly #changes: Int32Array;

  constructor(length: number) {
    this.#changes = new Int32Array(length + 1);
  }

  add({ from, to }: View, start: number, end: number): void {
    const first = from[start] ?? 0;
    const behind = to[end - 1] ?? first;
    this.#changes[first] = (this.#changes[first] ?? 0) + 1;
    this.#changes[behind] = (this.#changes[behind] ?? 0) - 1;
  }

  get ranges(): readonly (readonly [number, number])[] {
    const ranges: (readonly [number, number])[] = [];
    let [depth, start] = [0, 0];
    this.#changes.forEach((change, at) => {
      if (depth === 0 && depth + change > 0) start = at;
      if (depth > 0 && depth + change === 0) ranges.push([start, at]);
      depth += change;
    });
    return ranges;
  }
}

/** Whether a byte of JSON stands outside of every string; of anything else none does. */
function bareIn(bytes: Uint8Array): (at: number) => boolean {
  if (!isJson(Buffer.from(bytes).toString())) return () => false;
  const isBare = new Uint8Array(bytes.length);
  let isString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === QUOTE) isString = !isString;
    else if (isString && bytes[at] === BACKSLASH) at += 1;
    else isBare[at] = isString ? 0 : 1;
  }
  return (at) => isBare[at] === 1;
}

class Source {
  readonly #views: readonly View[];
  readonly #marks: Marks;

  constructor(text: string) {
    this.#views = viewsOf(text);
    this.#marks = new Marks(this.#itself.length);
  }

  get #itself(): Uint8Array {
    return this.#views[0]?.bytes ?? new Uint8Array();
  }

  collect(secrets: Secrets): void {
    for (const view of this.#views) {
      const text = latin1(view.bytes);
      for (const [from, to] of findNamed(text)) {
        this.#marks.add(view, from, to);
        if (secrets.areTooMany) return;
        const value = text.slice(from, to);
        secrets.add(value);
        // A secret may be written otherwise elsewhere than where it is named.
        for (const { bytes } of plainViewsOf(Buffer.from(value, 'latin1').toString())) {
          secrets.add(latin1(bytes));
        }
      }
    }
  }

  strike(search: ReturnType<typeof searchFor>): string {
    for (const view of this.#views) {
      search(view.bytes, (from, to) => {
        this.#marks.add(view, from, to);
      });
    }
    const bytes = this.#itself;
    const isBare = bareIn(bytes);
    const kept: Uint8Array[] = [];
    let end = 0;
    for (const [from, to] of this.#marks.ranges) {
      kept.push(bytes.subarray(end, from), Buffer.from(isBare(from) ? '1' : REDACTED));
      end = to;
    }
    return Buffer.concat([...kept, bytes.subarray(end)]).toString();
  }
}

/**
 * The texts without any secret that is known or that one of them names.
 * @returns undefined where there are so many secrets that nothing of the texts can be kept
 */
export function redact(
  texts: readonly string[],
  known: Iterable<string>,
): readonly string[] | undefined {
  const secrets = new Secrets();
  for (const secret of known) {
    for (const { bytes } of plainViewsOf(secret)) secrets.add(latin1(bytes));
  }
  const sources = texts.map((text) => new Source(text));
  for (const source of sources) source.collect(secrets);
  if (secrets.areTooMany) return undefined;
  const { search } = secrets;
  return sources.map((source) => source.strike(search));
}

const NOTHING_KEPT = '(not kept: too many secrets)';

/** One text, such as what a service answered. */
export const redactText = (text: string, known: Iterable<string>): string =>
  redact([text], known)?.[0] ?? NOTHING_KEPT;

export const redactedAttempts = <Attempt extends { readonly answer: string }>(
  attempts: readonly Attempt[],
  known: readonly string[],
): Attempt[] =>
  attempts.map((attempt) => ({ ...attempt, answer: redactText(attempt.answer, known) }));
