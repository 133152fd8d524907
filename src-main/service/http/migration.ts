/** The way by which an organization leaves for another computer (API decisions 15.14). */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { variableMissing } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import { apiHeaders } from './failure.ts';

/** What another computer comes for. Refusals are BAD_REQUEST. */
export interface MigrationSource {
  /** Closes the organization for whoever has the token, where nobody here has to agree first, or somebody has. */
  readonly claim: (
    token: string,
    who: TargetComputer,
  ) => Promise<Readonly<Record<string, unknown>>>;
  /** All that it is, as a tar. */
  readonly archive: (mover: string) => Promise<AsyncIterable<Uint8Array>>;
  /** The keys, and a signature over what was taken; null for what this computer has not handed out. */
  readonly handOver: (
    mover: string,
    digest: string,
  ) => Promise<Readonly<Record<string, unknown>> | null>;
  /** Where the organization is reached now, for those who look for it here. */
  readonly arrived: (mover: string, addresses: readonly string[]) => Promise<void>;
  /** Something has changed in the data folder. Answers whether the organization is open here. */
  readonly look: () => Promise<boolean>;
}

export interface TargetComputer {
  /** 64 hexadecimal digits that nobody else knows. */
  readonly mover: string;
  /** As the computer calls itself; empty where it does not say. */
  readonly computer: string;
  /** From where it comes. */
  readonly address: string;
}

const MAX_NAME = 100;
const MAX_ADDRESSES = 12;
const Addresses = z.array(z.string().max(300).refine(isOrigin)).max(MAX_ADDRESSES);

const PATH = '/api/v1/office/move';

/** Others are spoken to over TLS alone. */
function isOrigin(text: string): boolean {
  return text.startsWith('https://') && URL.canParse(text) && new URL(text).origin === text;
}

function valueOf(request: FastifyRequest, name: string): string | null {
  const body = Buffer.isBuffer(request.body) ? request.body.toString() : '';
  return new URLSearchParams(body).get(name);
}

/** It is shown to a person, who must not take it for something that Hearth says. */
const nameOf = (request: FastifyRequest): string =>
  (valueOf(request, 'computer') ?? '')
    .replace(/[^\p{L}\p{N} ._-]/gu, '')
    .trim()
    .slice(0, MAX_NAME);

function addressesOf(request: FastifyRequest): readonly string[] {
  const value = valueOf(request, 'addresses');
  if (value === null) throw variableMissing('addresses');
  try {
    return Addresses.parse(JSON.parse(value));
  } catch {
    throw refusal('addresses_invalid', { limit: MAX_ADDRESSES }, { var_name: 'addresses' });
  }
}

function fieldOf(request: FastifyRequest, name: string, digits: number): string {
  const value = valueOf(request, name);
  if (value === null) throw variableMissing(name);
  if (value.length === digits && /^[0-9a-f]*$/.test(value)) return value;
  throw refusal('hexadecimal_invalid', { argument: name, digits }, { var_name: name });
}

export function serveMigration(app: FastifyInstance, source: MigrationSource): void {
  const success = { result: 'success', msg: '' };
  app.post(PATH, async (request, reply) => {
    const token = fieldOf(request, 'token', 32);
    const mover = fieldOf(request, 'mover', 64);
    const address = app.clientAddresses.addressOf(request);
    const found = await source.claim(token, { mover, computer: nameOf(request), address });
    return reply.headers(apiHeaders).send({ ...success, ...found });
  });
  app.post(`${PATH}/archive`, async (request, reply) => {
    const bytes = await source.archive(fieldOf(request, 'mover', 64));
    return reply
      .headers({ ...apiHeaders, 'content-type': 'application/x-tar' })
      .send(Readable.from(bytes, { objectMode: false }));
  });
  app.post(`${PATH}/end`, async (request, reply) => {
    const mover = fieldOf(request, 'mover', 64);
    const handover = await source.handOver(mover, fieldOf(request, 'digest', 64));
    return reply.headers(apiHeaders).send({ ...success, handover });
  });
  app.post(`${PATH}/arrived`, async (request, reply) => {
    const mover = fieldOf(request, 'mover', 64);
    await source.arrived(mover, addressesOf(request));
    return reply.headers(apiHeaders).send(success);
  });
  // No right is needed: what is done stands in the data folder.
  app.post(`${PATH}/look`, async (_request, reply) =>
    reply.headers(apiHeaders).send({ ...success, is_open: await source.look() }),
  );
}
