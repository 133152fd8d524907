import type { Conversation, Draft, View } from '../../src-main/contract/models/client.ts';
import type { Outcome } from '../../src-main/contract/outcome.ts';
import type { Bridge } from '../../src-preload/bridge.ts';
import { words } from '../text/words.ts';
import type { Drafts } from './drafts.svelte.ts';
import { plain } from './fuzzy.ts';
import { characters, CONTENT_BYTES, contentBytes, TOPIC_CHARACTERS } from './limits.ts';
import { viewKey } from './places.ts';

export type ComposeProblem = 'empty' | 'topic-missing' | 'topic-too-long' | 'content-too-long';

interface Sending {
  readonly waiting: readonly Draft[];
  readonly failure: string;
}

const idle: Sending = { waiting: [], failure: '' };

/** What is written where, and its way to the service. A text that did not arrive comes back. */
export class Compose {
  readonly #bridge: Pick<Bridge, 'sendMessage'>;
  readonly #accountId: string;
  readonly #drafts: Drafts;
  #sendings = $state.raw<ReadonlyMap<string, Sending>>(new Map());

  constructor(bridge: Pick<Bridge, 'sendMessage'>, accountId: string, drafts: Drafts) {
    this.#bridge = bridge;
    this.#accountId = accountId;
    this.#drafts = drafts;
  }

  contentOf(view: View): string {
    return this.#drafts.of(viewKey(view)).content;
  }

  topicOf(view: View): string {
    const topic = this.#drafts.of(viewKey(view)).topic;
    return topic ?? (view.kind === 'stream' ? (view.topic ?? '') : '');
  }

  isSending(view: View): boolean {
    return this.#of(viewKey(view)).waiting.length > 0;
  }

  /** Why the last message of this view did not arrive; empty when it did. */
  failureOf(view: View): string {
    return this.#of(viewKey(view)).failure;
  }

  writeContent(view: View, content: string): void {
    this.#drafts.write(viewKey(view), { content });
  }

  writeTopic(view: View, topic: string): void {
    this.#drafts.write(viewKey(view), { topic });
  }

  /** Where the text goes, when that is another topic than the one shown. */
  elsewhere(view: View): View | null {
    if (view.kind !== 'stream' || view.topic === null) return null;
    const topic = this.topicOf(view).trim();
    const isSame = topic === '' || plain(topic) === plain(view.topic);
    return isSame ? null : { kind: 'stream', streamId: view.streamId, topic };
  }

  /** Takes the text along to where it goes. */
  move(from: View, to: View): void {
    this.#drafts.write(viewKey(to), { content: this.contentOf(from), topic: null });
    this.#drafts.write(viewKey(from), { content: '', topic: null });
  }

  /** Sends the text of the view; what stands in the way is answered at once. */
  send(view: View): ComposeProblem | null {
    const problem = this.#problemOf(view);
    if (problem !== null) return problem;
    const key = viewKey(view);
    const draft = { conversation: this.#destinationOf(view), content: this.contentOf(view) };
    const waiting = [...this.#of(key).waiting, draft];
    this.#set(key, { waiting, failure: '' });
    this.#drafts.write(key, { content: '' });
    if (waiting.length === 1) void this.#deliver(key);
    return null;
  }

  #problemOf(view: View): ComposeProblem | null {
    const content = this.contentOf(view);
    if (content.trim() === '') return 'empty';
    if (contentBytes(content) > CONTENT_BYTES) return 'content-too-long';
    if (view.kind === 'private') return null;
    const topic = this.topicOf(view);
    if (topic.trim() === '') return 'topic-missing';
    return characters(topic) > TOPIC_CHARACTERS ? 'topic-too-long' : null;
  }

  #destinationOf(view: View): Conversation {
    return view.kind === 'private'
      ? view
      : { kind: 'stream', streamId: view.streamId, topic: this.topicOf(view).trim() };
  }

  /** One after the other, so that they arrive in the order in which they were written. */
  async #deliver(key: string): Promise<void> {
    for (;;) {
      const next = this.#of(key).waiting[0];
      if (next === undefined) return;
      const outcome = await this.#call(next);
      const { waiting } = this.#of(key);
      if (!outcome.ok) {
        this.#takeBack(key, waiting, outcome.failure.message);
        return;
      }
      this.#set(key, { waiting: waiting.slice(1), failure: '' });
    }
  }

  #takeBack(key: string, drafts: readonly Draft[], failure: string): void {
    const texts = [...drafts.map(({ content }) => content), this.#drafts.of(key).content];
    const content = texts.filter((text) => text.trim() !== '').join('\n\n');
    this.#drafts.write(key, { content });
    this.#set(key, { waiting: [], failure });
  }

  async #call(draft: Draft): Promise<Outcome<number>> {
    try {
      return await this.#bridge.sendMessage(this.#accountId, draft);
    } catch {
      // A rejection is a bug on the other side, which logs it; the text has to come back all the same.
      return { ok: false, failure: { code: 'INTERNAL_ERROR', message: words.bug } };
    }
  }

  #of(key: string): Sending {
    return this.#sendings.get(key) ?? idle;
  }

  #set(key: string, sending: Sending): void {
    this.#sendings = new Map(this.#sendings).set(key, sending);
  }
}
