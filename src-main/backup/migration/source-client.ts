/** The computer that has the organization, as the one sees it that it comes to. */
import type { Agent, RequestOptions } from 'node:https';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { readOfficeKey, isSignedBy, moveBytes, epochBytes } from '#node/tls/server-identity.ts';
import { officeAgent, OtherOfficeError } from '#node/tls/pinned-tls.ts';
import type { MoveCode } from '#node/migration/transfer-code.ts';
import { KeepingError } from '../collect.ts';

const Claimed = z.object({
  name: z.string(),
  /** Absent where an older Hearth answers, which does not ask anybody there. */
  is_waiting: z.boolean().default(false),
  schema: z.number().default(0),
  size_bytes: z.number().default(0),
});
export type Claimed = z.output<typeof Claimed>;
export const HandoverSchema = z.object({
  epoch: z.object({ n: z.int(), id: z.string(), parent: z.string(), signature: z.string() }),
  signature: z.string(),
  secret: z.string().regex(/^[0-9a-f]{64}$/),
  office_key: z.string(),
});
const Ended = z.object({ handover: HandoverSchema.nullable() });
const Refusal = z.object({ msg: z.string() });

export type Handover = z.output<typeof HandoverSchema>;

/** Nobody answered, or stopped in the middle: it may later. */
export class UnreachableError extends KeepingError {}

const CONNECT_LIMIT_MS = 15_000;

const unreachable = ({ addresses }: MoveCode): UnreachableError =>
  new UnreachableError(
    `The other computer does not answer at ${addresses.join(' or ')}: see that both are in one network and that Hearth runs there, then go on with the same code.`,
  );

export class OldHost {
  readonly #code: MoveCode;
  readonly #mover: string;
  readonly #agent: Agent;

  constructor(code: MoveCode, mover: string) {
    this.#code = code;
    this.#mover = mover;
    this.#agent = officeAgent(code.pin);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** @param computer  as this one calls itself */
  async claim(computer: string, signal: AbortSignal): Promise<Claimed> {
    return Claimed.parse(await this.#ask('', { token: this.#code.token, computer }, signal));
  }

  /** Where it is reached from now on. */
  async tell(addresses: readonly string[], signal: AbortSignal): Promise<void> {
    await this.#ask('/arrived', { addresses: JSON.stringify(addresses) }, signal);
  }

  archive(signal: AbortSignal): Promise<IncomingMessage> {
    return this.#open('/archive', {}, signal);
  }

  /** Null where the other one does not know what was taken. @throws KeepingError where it is not signed by the office */
  async end(digest: string, signal: AbortSignal): Promise<Handover | null> {
    const { handover } = Ended.parse(await this.#ask('/end', { digest }, signal));
    if (handover === null) return null;
    const key = readOfficeKey(handover.office_key);
    const isSigned = (purpose: 'epoch' | 'move', bytes: Uint8Array, signature: string): boolean =>
      key !== undefined &&
      isSignedBy(key.publicKey, purpose, bytes, Buffer.from(signature, 'base64'));
    const { epoch, signature } = handover;
    const isTheirs =
      key?.pin === this.#code.pin &&
      isSigned('epoch', epochBytes(epoch), epoch.signature) &&
      isSigned('move', moveBytes(epoch, digest), signature);
    if (isTheirs) return handover;
    throw new KeepingError(
      'What the other computer handed over is not signed by the organization.',
    );
  }

  async #ask(
    path: string,
    fields: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<unknown> {
    const response = await this.#open(path, fields, signal);
    const body = await text(response).catch(() => {
      throw unreachable(this.#code);
    });
    return JSON.parse(body);
  }

  /** At the first address where the office answers. */
  async #open(
    path: string,
    fields: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const body = new URLSearchParams({ mover: this.#mover, ...fields }).toString();
    let isOther = false;
    for (const address of this.#code.addresses) {
      try {
        return await this.#post(`${address}/api/v1/office/move${path}`, body, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof KeepingError) throw error;
        isOther ||= error instanceof OtherOfficeError;
      }
    }
    if (!isOther) throw unreachable(this.#code);
    throw new KeepingError(
      'Another computer answers there than the code is of: nothing was sent to it. Make a new code.',
    );
  }

  async #post(url: string, body: string, signal: AbortSignal): Promise<IncomingMessage> {
    const options: RequestOptions = {
      method: 'POST',
      agent: this.#agent,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      signal,
    };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const asking = request(url, options, resolve);
      const limit = setTimeout(() => asking.destroy(new Error('no connection')), CONNECT_LIMIT_MS);
      asking.on('socket', (socket) => {
        const arrived = (): void => clearTimeout(limit);
        if (socket.connecting) socket.once('secureConnect', arrived);
        else arrived();
      });
      asking.on('close', () => clearTimeout(limit));
      asking.on('error', reject);
      asking.end(body);
    });
    if (response.statusCode === 200) return response;
    const said = Refusal.safeParse(JSON.parse(await text(response)));
    throw new KeepingError(said.success ? `${said.data.msg}.` : 'The other computer has refused.');
  }
}
