import { fold } from '#shared/text/fold.ts';
import {
  conversationKey,
  type ShownMessage,
  type StreamTopic,
} from '#shared/bridge/models/client.ts';
import type { Bridge } from '#preload/bridge.ts';
import { settled } from '../calls.ts';

type Known = ReadonlyMap<number, readonly string[]>;

/** Topic names by stream, newest first, as far as they were asked for. */
export class Topics {
  readonly #bridge: Pick<Bridge, 'topics' | 'findTopics' | 'on'>;
  readonly #accountId: string;
  #known = $state.raw<Known>(new Map());
  readonly stop: () => void;

  constructor(bridge: Pick<Bridge, 'topics' | 'findTopics' | 'on'>, accountId: string) {
    this.#bridge = bridge;
    this.#accountId = accountId;
    const stops = [
      bridge.on('messagesArrived', (event) => {
        if (event.accountId !== accountId) return;
        for (const { conversation } of event.messages) {
          if (conversation.kind !== 'stream') continue;
          this.#moveUp(conversation.streamId, conversation.topic);
        }
      }),
      bridge.on('messagesChanged', (event) => {
        if (event.accountId === accountId && this.#hasOther(event.messages)) this.#reload();
      }),
      bridge.on('messagesRemoved', (event) => {
        if (event.accountId === accountId) this.#reload();
      }),
      bridge.on('messagesReset', (event) => {
        if (event.accountId === accountId) this.#reload();
      }),
    ];
    this.stop = () => stops.forEach((end) => end());
  }

  of(streamId: number): readonly string[] {
    return this.#known.get(streamId) ?? [];
  }

  /** Every topic that was asked for, with its stream. */
  get all(): readonly StreamTopic[] {
    return [...this.#known].flatMap(([streamId, topics]) =>
      topics.map((topic) => ({ streamId, topic })),
    );
  }

  /** Those on this computer, of all streams, that answer what was typed; the newest where nothing was. */
  async find(query: string): Promise<readonly StreamTopic[]> {
    const outcome = await settled(() => this.#bridge.findTopics(this.#accountId, query));
    return outcome.ok ? outcome.value : [];
  }

  async load(streamId: number): Promise<void> {
    const outcome = await this.#bridge.topics(this.#accountId, streamId);
    // Without an answer the topics that were seen stay: they are a convenience, never the only way.
    if (outcome.ok) this.#set(streamId, outcome.value);
  }

  /**
   * Whether any was moved to a topic that is not known yet; the one that it left may be empty now. Many are read at once,
   * but of few topics.
   */
  #hasOther(messages: readonly ShownMessage[]): boolean {
    const places = new Map(messages.map(({ conversation: c }) => [conversationKey(c), c]));
    return [...places.values()].some(
      (place) =>
        place.kind === 'stream' &&
        !this.of(place.streamId).some((known) => fold(known) === fold(place.topic)),
    );
  }

  #reload(): void {
    for (const streamId of this.#known.keys()) void this.load(streamId);
  }

  #moveUp(streamId: number, topic: string): void {
    const others = this.of(streamId).filter((known) => fold(known) !== fold(topic));
    const known = this.of(streamId).find((each) => fold(each) === fold(topic));
    this.#set(streamId, [known ?? topic, ...others]);
  }

  #set(streamId: number, topics: readonly string[]): void {
    this.#known = new Map([...this.#known, [streamId, topics]]);
  }
}
