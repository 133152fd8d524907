/** The way by which an organization leaves for another computer (API decisions 15.14). */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../../contract/errors.ts';
import { apiHeaders } from '../failure.ts';

/** What another computer comes for. Refusals are BAD_REQUEST. */
export interface Departure {
  /** Closes the organization for whoever has the token. @param mover  64 hexadecimal digits that nobody else knows */
  readonly claim: (
    token: string,
    mover: string,
    address: string,
  ) => Promise<Readonly<Record<string, unknown>>>;
  /** All that it is, as a tar. */
  readonly archive: (mover: string) => Promise<AsyncIterable<Uint8Array>>;
  /** The keys, and a signature over what was taken; null for what this computer has not handed out. */
  readonly handOver: (
    mover: string,
    digest: string,
  ) => Promise<Readonly<Record<string, unknown>> | null>;
  /** Something has changed in the data folder. Answers whether the organization is open here. */
  readonly look: () => Promise<boolean>;
}

const PATH = '/api/v1/office/move';

function fieldOf(request: FastifyRequest, name: string, digits: number): string {
  const body = Buffer.isBuffer(request.body) ? request.body.toString() : '';
  const value = new URLSearchParams(body).get(name);
  const details = { var_name: name };
  if (value === null) {
    throw new ServiceError('REQUEST_VARIABLE_MISSING', `Missing '${name}' argument`, details);
  }
  if (value.length === digits && /^[0-9a-f]*$/.test(value)) return value;
  const message = `${name} has to be ${String(digits)} hexadecimal digits in lower case`;
  throw new ServiceError('REQUEST_VARIABLE_INVALID', message, details);
}

export function serveDeparture(app: FastifyInstance, departure: Departure): void {
  const success = { result: 'success', msg: '' };
  app.post(PATH, async (request, reply) => {
    const token = fieldOf(request, 'token', 32);
    const mover = fieldOf(request, 'mover', 64);
    const address = app.perimeter.addressOf(request);
    const found = await departure.claim(token, mover, address);
    return reply.headers(apiHeaders).send({ ...success, ...found });
  });
  app.post(`${PATH}/archive`, async (request, reply) => {
    const bytes = await departure.archive(fieldOf(request, 'mover', 64));
    return reply
      .headers({ ...apiHeaders, 'content-type': 'application/x-tar' })
      .send(Readable.from(bytes, { objectMode: false }));
  });
  app.post(`${PATH}/end`, async (request, reply) => {
    const mover = fieldOf(request, 'mover', 64);
    const handover = await departure.handOver(mover, fieldOf(request, 'digest', 64));
    return reply.headers(apiHeaders).send({ ...success, handover });
  });
  // No right is needed: what is done stands in the data folder.
  app.post(`${PATH}/look`, async (_request, reply) =>
    reply.headers(apiHeaders).send({ ...success, is_open: await departure.look() }),
  );
}
