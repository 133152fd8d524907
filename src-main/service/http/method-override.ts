/** A POST that stands for another method, from clients that can send no other (API decisions 2.1). */
import type { FastifyRequest } from 'fastify';
import type { Parameters } from './parameters.ts';
import { parametersOf } from './pipeline.ts';

const overriding = new Set(['GET', 'PUT', 'PATCH', 'DELETE']);

/** Only what mentions the parameter at all is read twice. */
function mentionsMethod({ raw, body }: FastifyRequest): boolean {
  return (raw.url ?? '').includes('method') || (Buffer.isBuffer(body) && body.includes('method'));
}

/** The method that the request stands for; undefined when it is the one it was sent with. */
export function overriddenMethod(request: FastifyRequest): string | undefined {
  if (request.method !== 'POST' || !mentionsMethod(request)) return undefined;
  let parameters: Parameters;
  try {
    parameters = parametersOf(request, { isJsonRead: true });
  } catch {
    // The endpoint that is asked reads them again, and says what is wrong.
    return undefined;
  }
  const method = parameters['method'];
  return typeof method === 'string' && overriding.has(method) ? method : undefined;
}
