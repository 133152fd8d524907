/** The body of a delivery as a payload (API decisions 12.1). */
import { parseJson } from '#shared/api/codecs.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { RawBody } from '#service/core/ports/handlers.ts';
import type { Declaration } from './integration.ts';

/** Whether a body of this type is a form. */
export const isForm = (contentType: string): boolean =>
  /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType);

/** Arguments of the request, which no integration has to read. */
const ARGUMENTS: ReadonlySet<string> = new Set(['api_key', 'stream']);

/** Some services send a form whose field `payload` is the JSON, others plain fields. */
function decodeForm(form: string, takesFields: boolean): unknown {
  const fields = new URLSearchParams(form);
  const payload = fields.get('payload');
  if (payload !== null) return parseJson(payload);
  const named = [...fields].filter(([name]) => !ARGUMENTS.has(name));
  return takesFields && named.length > 0 ? Object.fromEntries(named) : undefined;
}

/** @throws INVALID_JSON */
export function decodeBody(
  raw: Pick<RawBody, 'bytes' | 'contentType'> | null,
  { body: kind }: Declaration,
): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(raw?.bytes ?? new Uint8Array());
  } catch {
    throw refusal('json_not_utf8');
  }
  // Tried first whatever the type says: many senders name another one than they send.
  const json = parseJson(text);
  const value =
    json === undefined && isForm(raw?.contentType ?? '') ? decodeForm(text, kind === 'form') : json;
  if (value === undefined) throw refusal('json_malformed');
  return value;
}
