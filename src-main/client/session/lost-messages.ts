/**
 * Messages that only this computer still has (API decisions 15.15): set aside before anything that an office of after a restore
 * says is taken for all there is, and offered until they are answered.
 */
import { COMPARED_MESSAGES, OFFERED_MESSAGES } from '#shared/api/bounds.ts';
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import type { OfferedMessage, OfferResult } from '#shared/api/endpoints/messages/reupload.ts';
import type { RestoreGeneration } from '#shared/api/restore-generation.ts';
import type { Message } from '#shared/api/models/message.ts';
import type { LostMessage, LostStatus } from '#shared/bridge/models/client.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import type { Cache } from '../cache/port.ts';
import type { Clock } from '../ports.ts';
import type { Api } from '../transport/api.ts';
import type { ApiOutcome } from '../transport/answers.ts';
import type { StoredLostMessages, LostMessageStore } from './lost-store.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

/** A request is refused from a MiB on. */
const OFFERED_CHARACTERS = 100_000;
const RETRY_MS = 30_000;

export interface LostMessagesParts {
  readonly api: Api;
  readonly clock: Clock;
  /** Undefined where nothing outlives the program. */
  readonly store: LostMessageStore | undefined;
  /** What the cache answers, or the other value where it cannot be read. */
  readonly read: <T>(run: (cache: Cache) => T, otherwise: T) => T;
  readonly changed: (status: LostStatus) => void;
}

const nothing: StoredLostMessages = { comparedEpoch: null, isAgreed: false, messages: [] };
const numberOf = ({ proof }: { readonly proof: string }): number => Number(proof.split('.')[0]);

function offeredOf(message: Message): OfferedMessage | undefined {
  const {
    id,
    sender_id,
    timestamp,
    proof,
    source: content,
    stream_id,
    display_recipient,
  } = message;
  if (proof === undefined || content === undefined) return undefined;
  const place =
    typeof display_recipient === 'string'
      ? { stream_id, topic: message.subject }
      : { user_ids: display_recipient.map((each) => each.id) };
  return { id, sender_id, timestamp, content, proof, ...place };
}

const shownOf = (message: OfferedMessage): LostMessage => ({
  id: message.id,
  senderId: message.sender_id,
  sentAtSeconds: message.timestamp,
  content: message.content,
  conversation:
    message.stream_id === undefined
      ? { kind: 'private', userIds: message.user_ids ?? [] }
      : { kind: 'stream', streamId: message.stream_id, topic: message.topic ?? '' },
});

/** Each message in its latest version. */
function merged(all: readonly OfferedMessage[]): OfferedMessage[] {
  const latest = new Map<number, OfferedMessage>();
  for (const each of all) {
    const known = latest.get(each.id);
    if (known === undefined || numberOf(known) < numberOf(each)) latest.set(each.id, each);
  }
  return [...latest.values()].sort((a, b) => a.id - b.id);
}

/** As many as one request takes. */
function firstBatch(messages: readonly OfferedMessage[]): readonly OfferedMessage[] {
  let characters = 0;
  const count = messages.slice(0, OFFERED_MESSAGES).findIndex(({ content }) => {
    characters += content.length;
    return characters > OFFERED_CHARACTERS;
  });
  return messages.slice(0, count === -1 ? OFFERED_MESSAGES : Math.max(1, count));
}

/** Asked anew after every wait. */
const isEnded = (signal: AbortSignal): boolean => signal.aborted;

const isBack = (result: OfferResult): boolean => result === 'recovered' || result === 'present';

export class LostMessages {
  readonly #parts: LostMessagesParts;
  #kept: StoredLostMessages | undefined;
  #done: LostStatus['done'] = null;
  #offering: AbortController | null = null;

  constructor(parts: LostMessagesParts) {
    this.#parts = parts;
  }

  get status(): LostStatus {
    const { messages, isAgreed } = this.#kept ?? nothing;
    return { waiting: messages.length, isAgreed, done: this.#done };
  }

  /** What was set aside in an earlier run. */
  async open(): Promise<void> {
    if ((await this.#load()).messages.length > 0) this.#parts.changed(this.status);
  }

  async list(): Promise<readonly LostMessage[]> {
    return (await this.#load()).messages.map(shownOf);
  }

  /**
   * Asks an office of a later restore generation which of the messages here it lacks, and sets these aside. To be done before anything else
   * is fetched from it.
   */
  async compare(
    epoch: RestoreGeneration | undefined,
    signal: AbortSignal,
  ): Promise<ApiOutcome<null>> {
    if (epoch === undefined || this.#parts.store === undefined) return success(null);
    const kept = await this.#load();
    if (kept.comparedEpoch === epoch.id) return success(null);
    const found = await this.#findLacking(signal);
    if (!found.ok) {
      // An older service knows of no MACs, and asks nobody for anything.
      return found.failure.code === 'NOT_FOUND' ? success(null) : found;
    }
    const isMore = found.value.length > 0;
    const isSafe = await this.#trySave({
      comparedEpoch: epoch.id,
      isAgreed: kept.isAgreed && !isMore,
      messages: merged([...kept.messages, ...found.value]),
    });
    return isSafe ? success(null) : failure('DISK_FULL', clientWords('lost_messages_not_kept'));
  }

  /** From now on they are offered until they are answered, over restarts too. */
  async reupload(): Promise<void> {
    await this.#save({ ...(await this.#load()), isAgreed: true });
    this.resume();
  }

  /** Forgets them, or what became of those that were given back. */
  async decline(): Promise<void> {
    this.pause();
    this.#done = null;
    await this.#save({ ...(await this.#load()), isAgreed: false, messages: [] });
  }

  /** The office answers. */
  resume(): void {
    if (this.#offering !== null || !this.status.isAgreed) return;
    const offering = new AbortController();
    this.#offering = offering;
    void this.#offer(offering.signal).finally(() => {
      if (this.#offering === offering) this.#offering = null;
    });
  }

  stop(): void {
    this.pause();
  }

  pause(): void {
    this.#offering?.abort();
    this.#offering = null;
  }

  async #findLacking(signal: AbortSignal): Promise<ApiOutcome<readonly OfferedMessage[]>> {
    const { api, read } = this.#parts;
    const found: OfferedMessage[] = [];
    for (let after = 0; ;) {
      const from = after;
      const batch = read((cache) => cache.listSignedMessages(from, COMPARED_MESSAGES), []);
      const last = batch.at(-1);
      if (last === undefined) return success(found);
      after = last.id;
      const known = batch.map((each): [number, number] => [each.id, numberOf(each)]);
      const outcome = await api.call(endpoints.recovery.lacking, { known }, { signal });
      if (!outcome.ok) return outcome;
      const lacking = read((cache) => cache.find(outcome.value.lacking), []);
      found.push(...lacking.flatMap((message) => offeredOf(message) ?? []));
    }
  }

  async #offer(signal: AbortSignal): Promise<void> {
    const { api, clock } = this.#parts;
    while (!isEnded(signal)) {
      const { messages } = await this.#load();
      if (messages.length === 0) return;
      const batch = firstBatch(messages);
      const outcome = await api.call(
        endpoints.recovery.offer,
        { messages: [...batch] },
        { signal },
      );
      if (isEnded(signal)) return;
      // What could not be noted is offered again, which changes nothing.
      const isNoted = outcome.ok && (await this.#answered(outcome.value.results));
      if (!isNoted) await clock.wait(RETRY_MS, signal);
    }
  }

  async #answered(
    results: readonly { readonly id: number; readonly result: OfferResult }[],
  ): Promise<boolean> {
    const answered = new Set(results.map(({ id }) => id));
    const back = results.filter(({ result }) => isBack(result)).length;
    const { back: before, refused } = this.#done ?? { back: 0, refused: 0 };
    const kept = await this.#load();
    const messages = kept.messages.filter(({ id }) => !answered.has(id));
    const done = { back: before + back, refused: refused + results.length - back };
    return this.#trySave({ ...kept, isAgreed: messages.length > 0, messages }, done);
  }

  async #load(): Promise<StoredLostMessages> {
    // One that cannot be read is as good as none.
    const read = async (): Promise<StoredLostMessages | undefined> =>
      this.#parts.store?.read().catch(() => undefined);
    return (this.#kept ??= (await read()) ?? nothing);
  }

  async #trySave(kept: StoredLostMessages, done = this.#done): Promise<boolean> {
    const before = this.#done;
    this.#done = done;
    try {
      await this.#save(kept);
      return true;
    } catch {
      this.#done = before;
      return false;
    }
  }

  async #save(kept: StoredLostMessages): Promise<void> {
    await this.#parts.store?.write(kept);
    this.#kept = kept;
    this.#parts.changed(this.status);
  }
}
