/** Deliveries of every integration, made from its own payloads: right in most places and wrong in some. */
import { allPayloads } from '../service/webhooks/payloads/index.ts';
import type { Random } from '../random.ts';
import { sentOf } from '../webhooks/read.ts';
import { type FuzzRequest, oddHeader } from './requests.ts';
import { adversarialText, hostileValue } from './values.ts';

type Path = readonly string[];

function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inside = Object.entries(value).flatMap(([key, each]) => pathsIn(each, [...path, key]));
  return path.length === 0 ? inside : [path, ...inside];
}

/** A copy with another value at a path; without it where that is undefined. */
function withValue(value: unknown, [key, ...rest]: Path, other: unknown): unknown {
  if (key === undefined) return other;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.with(Number(key), withValue(items[Number(key)], rest, other));
  }
  const object = value as Readonly<Record<string, unknown>>;
  return { ...object, [key]: withValue(object[key], rest, other) };
}

function mutated(random: Random, payload: unknown): unknown {
  const paths = pathsIn(payload);
  let result = payload;
  for (let left = random.pick([0, 1, 1, 1, 2, 5]); left > 0 && paths.length > 0; left--) {
    const other = random.pick([
      adversarialText(random, random.below(20_000)),
      hostileValue(random),
      undefined,
    ]);
    try {
      result = withValue(result, random.pick(paths), other);
    } catch {
      // An earlier change took the place away.
    }
  }
  return result;
}

const FORM = 'application/x-www-form-urlencoded';

function bodyOf(random: Random, json: string): { readonly type: string; readonly body: string } {
  const roll = random.next();
  if (roll < 0.7) return { type: 'application/json', body: json };
  if (roll < 0.85)
    return { type: FORM, body: `payload=${encodeURIComponent(json.toWellFormed())}` };
  if (roll < 0.95)
    return { type: 'application/json', body: json.slice(0, random.below(json.length)) };
  return { type: FORM, body: adversarialText(random, random.below(20_000)) };
}

/** @param key  the bot's, in the address as these services send it */
export function fuzzDelivery(random: Random, integration: string, key: string): FuzzRequest {
  const own = random.pick(allPayloads.filter(({ name }) => name === integration));
  const sent = sentOf({ ...own, payload: mutated(random, own.payload) });
  const { type, body } = bodyOf(random, sent.body);
  const query = new URLSearchParams({ ...sent.query, api_key: key, stream: 'general' });
  const odd = random.chance(0.15) ? oddHeader(random) : {};
  return {
    method: 'POST',
    target: `/api/v1/external/${integration}?${query.toString()}`,
    headers: { 'content-type': type, ...sent.headers, ...odd },
    body: Buffer.from(body),
  };
}
