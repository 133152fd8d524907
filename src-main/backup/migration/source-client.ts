/** The computer that has the organization, as the one sees it that it comes to. */
import type { Agent, RequestOptions } from 'node:https';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import {
  readServerIdentity,
  isSignedBy,
  migrationBytes,
  restoreGenerationBytes,
} from '#node/tls/server-identity.ts';
import { createPinnedAgent, WrongServerError } from '#node/tls/pinned-tls.ts';
import type { TransferCode } from '#node/migration/transfer-code.ts';
import { CauseSchema } from '#shared/api/cause-schema.ts';
import { ExplainedError, withCause } from '#shared/i18n/explained-error.ts';
import { backupWords } from '#shared/i18n/backup-words.ts';

const ClaimAnswer = z.object({
  name: z.string(),
  /** Absent where an older Hearth answers, which does not ask anybody there. */
  is_waiting: z.boolean().default(false),
  schema: z.number().default(0),
  size_bytes: z.number().default(0),
});
export type ClaimAnswer = z.output<typeof ClaimAnswer>;
export const HandoverSchema = z.object({
  epoch: z.object({ n: z.int(), id: z.string(), parent: z.string(), signature: z.string() }),
  signature: z.string(),
  secret: z.string().regex(/^[0-9a-f]{64}$/),
  office_key: z.string(),
});
const HandoverAnswer = z.object({ handover: HandoverSchema.nullable() });
const Refusal = z.object({ msg: z.string(), cause: CauseSchema });

export type Handover = z.output<typeof HandoverSchema>;

/** Nobody answered, or stopped in the middle: it may later. */
export class UnreachableError extends ExplainedError {}

const CONNECT_LIMIT_MS = 15_000;

const unreachable = ({ addresses }: TransferCode): UnreachableError =>
  new UnreachableError(backupWords('move_unreachable', { addresses: addresses.join(' or ') }));

export class PreviousHost {
  readonly #code: TransferCode;
  readonly #mover: string;
  readonly #agent: Agent;

  constructor(code: TransferCode, mover: string) {
    this.#code = code;
    this.#mover = mover;
    this.#agent = createPinnedAgent(code.fingerprint);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** @param computer  as this one calls itself */
  async claim(computer: string, signal: AbortSignal): Promise<ClaimAnswer> {
    return ClaimAnswer.parse(await this.#ask('', { token: this.#code.token, computer }, signal));
  }

  /** Where it is reached from now on. */
  async notifyMoved(addresses: readonly string[], signal: AbortSignal): Promise<void> {
    await this.#ask('/arrived', { addresses: JSON.stringify(addresses) }, signal);
  }

  archive(signal: AbortSignal): Promise<IncomingMessage> {
    return this.#open('/archive', {}, signal);
  }

  /** Null where the other one does not know what was taken. @throws ExplainedError where it is not signed by the office */
  async end(digest: string, signal: AbortSignal): Promise<Handover | null> {
    const { handover } = HandoverAnswer.parse(await this.#ask('/end', { digest }, signal));
    if (handover === null) return null;
    const key = readServerIdentity(handover.office_key);
    const isSigned = (purpose: 'epoch' | 'move', bytes: Uint8Array, signature: string): boolean =>
      key !== undefined &&
      isSignedBy(key.publicKey, purpose, bytes, Buffer.from(signature, 'base64'));
    const { epoch, signature } = handover;
    const isTheirs =
      key?.fingerprint === this.#code.fingerprint &&
      isSigned('epoch', restoreGenerationBytes(epoch), epoch.signature) &&
      isSigned('move', migrationBytes(epoch, digest), signature);
    if (isTheirs) return handover;
    throw new ExplainedError(backupWords('move_handover_unsigned'));
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
        if (error instanceof ExplainedError) throw error;
        isOther ||= error instanceof WrongServerError;
      }
    }
    if (!isOther) throw unreachable(this.#code);
    throw new ExplainedError(backupWords('move_other_computer'));
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
    throw new ExplainedError(
      said.success ? withCause(`${said.data.msg}.`, said.data.cause) : backupWords('move_refused'),
    );
  }
}
