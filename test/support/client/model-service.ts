/** The service as a client sees it, in memory, with the faults that a real one shows only by accident. */
import type { Http, HttpRequest, HttpResponse } from '#client/ports.ts';
import type { EventMessage } from '#shared/api/models/message.ts';
import type { PersonSeed } from '../service/wire-builders.ts';
import {
  ada,
  ben,
  privateMessage,
  realmUser,
  streamMessage,
  subscription,
} from '../service/wire-builders.ts';

/**
 * What happens to a request: it never arrives, its answer is lost, or something else answers in the service's
 * place.
 */
export type Fault = 'refused' | 'answer lost' | { readonly status: number; readonly text: string };

interface Queue {
  readonly id: string;
  events: { readonly id: number }[];
  /** The poll that waits, if any. */
  release: (() => void) | undefined;
}

interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

const ok = (body: Readonly<Record<string, unknown>>): HttpResponse => ({
  status: 200,
  text: JSON.stringify({ result: 'success', msg: '', ...body }),
});

export const errorAnswer = (
  status: number,
  code: string,
  more: Readonly<Record<string, unknown>> = {},
): HttpResponse => ({
  status,
  text: JSON.stringify({ result: 'error', msg: `${code} happened`, code, ...more }),
});

export class ModelService {
  readonly origin = 'http://service.test';
  readonly requests: SeenRequest[] = [];
  readonly messages: EventMessage[] = [];
  /** What its clock says when somebody registers, in UNIX seconds. */
  timestamp = 1_700_000_000;
  /** Taken by the requests to come, one each; null lets one pass. */
  readonly faults: (Fault | null)[] = [];
  /** Events that are appended to every answer to a poll as they are: for what no service should send. */
  readonly noise: unknown[] = [];
  streams = [subscription(10, 'general'), subscription(11, 'engineering')];
  people = [realmUser(ada), realmUser(ben)];
  /** Every event so far, as it was put into the queues. */
  readonly emitted: { readonly id: number }[] = [];
  /** Which answers take the place of the usual ones, by `METHOD /path`. */
  readonly overrides = new Map<string, (params: SeenRequest['params']) => HttpResponse>();
  readonly #queues = new Map<string, Queue>();
  #lastEventId = 100;
  #queueCount = 0;

  readonly http: Http = async (request) => {
    if (request.signal.aborted) throw new Error('aborted');
    const fault = this.faults.shift() ?? null;
    if (fault === 'refused') throw new Error('refused');
    if (fault !== null && typeof fault === 'object') return fault;
    const response = await this.#answer(request);
    if (fault === 'answer lost') throw new Error('connection reset');
    return response;
  };

  get queueIds(): readonly string[] {
    return [...this.#queues.keys()];
  }

  /** Requests for a path, in the order in which they came. */
  to(path: string): readonly SeenRequest[] {
    return this.requests.filter((request) => request.path === path);
  }

  sendPrivate(sender: PersonSeed, participants: readonly PersonSeed[], content?: string): number {
    return this.#store(privateMessage(this.nextMessageId, sender, participants, content));
  }

  sendToStream(sender: PersonSeed, topic: string, content?: string): number {
    const place = { streamId: 10, topic };
    return this.#store(streamMessage(this.nextMessageId, sender, place, content));
  }

  /** Puts an event into every queue. */
  emit(event: Readonly<Record<string, unknown>>): void {
    this.#lastEventId += 1;
    const numbered = { ...event, id: this.#lastEventId };
    this.emitted.push(numbered);
    for (const queue of this.#queues.values()) {
      queue.events.push(numbered);
      queue.release?.();
    }
  }

  /** Forgets all queues, as a service does with those that were idle for too long. */
  loseQueues(): void {
    for (const queue of this.#queues.values()) queue.release?.();
    this.#queues.clear();
  }

  get nextMessageId(): number {
    return (this.messages.at(-1)?.id ?? 500) + 2;
  }

  #store(message: EventMessage): number {
    this.messages.push(message);
    this.emit({ type: 'message', message, flags: message.sender_id === ada.id ? ['read'] : [] });
    return message.id;
  }

  async #answer({ method, url, body, headers, signal }: HttpRequest): Promise<HttpResponse> {
    const { pathname, searchParams } = new URL(url);
    const path = pathname.replace('/api/v1', '');
    const params = { ...Object.fromEntries(searchParams), ...formFields(body) };
    this.requests.push({ method, path, params, headers });
    const route = `${method} ${path}`;
    const override = this.overrides.get(route);
    if (override !== undefined) return override(params);
    switch (route) {
      case 'POST /register':
        return this.#register();
      case 'GET /events':
        return this.#poll(params, signal);
      case 'DELETE /events':
        return ok({ deleted: this.#queues.delete(params['queue_id'] ?? '') });
      case 'GET /messages':
        return this.#page(params);
      default:
        return errorAnswer(404, 'NOT_FOUND');
    }
  }

  #register(): HttpResponse {
    this.#queueCount += 1;
    const id = `1700000000:${this.#queueCount}`;
    this.#queues.set(id, { id, events: [], release: undefined });
    return ok({
      queue_id: id,
      last_event_id: this.#lastEventId,
      zulip_version: '2.1.0',
      max_message_id: this.messages.at(-1)?.id ?? -1,
      server_timestamp: this.timestamp,
      realm_name: 'Model',
      user_id: ada.id,
      realm_users: this.people,
      subscriptions: this.streams,
      streams: [],
      recent_private_conversations: this.#privateConversations(),
      unread_msgs: this.#unread(),
    });
  }

  #privateConversations(): readonly object[] {
    const newest = new Map<string, object>();
    for (const { id, display_recipient: people } of this.messages) {
      if (typeof people === 'string') continue;
      const ids = people.map((each) => each.id).filter((each) => each !== ada.id);
      newest.set(ids.join(), { user_ids: ids, max_message_id: id });
    }
    return [...newest.values()].reverse();
  }

  /** Everything that somebody else wrote: nothing here is ever read. */
  #unread(): object {
    const others = this.messages.filter(({ sender_id: id }) => id !== ada.id);
    const privates = others.filter(({ type }) => type === 'private');
    return {
      count: others.length,
      pms: privates.map(({ id, sender_id }) => ({ sender_id, unread_message_ids: [id] })),
      huddles: [],
      streams: others
        .filter(({ type }) => type === 'stream')
        .map(({ id, stream_id, subject }) => ({
          stream_id,
          topic: subject,
          unread_message_ids: [id],
        })),
      mentions: [],
      old_unreads_missing: false,
    };
  }

  async #poll(params: SeenRequest['params'], signal: AbortSignal): Promise<HttpResponse> {
    const id = params['queue_id'] ?? '';
    const acknowledged = Number(params['last_event_id']);
    const queue = this.#queues.get(id);
    if (queue === undefined) return this.#badQueue(id);
    queue.events = queue.events.filter((event) => event.id > acknowledged);
    const mustWait = queue.events.length === 0 && this.noise.length === 0;
    if (mustWait && params['dont_block'] !== 'true') await this.#newEvent(queue, signal);
    if (!this.#queues.has(id)) return this.#badQueue(id);
    return ok({ queue_id: id, events: [...queue.events, ...this.noise.splice(0)] });
  }

  #newEvent(queue: Queue, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      queue.release = () => {
        queue.release = undefined;
        resolve();
      };
      signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
    });
  }

  #badQueue(id: string): HttpResponse {
    return errorAnswer(400, 'BAD_EVENT_QUEUE_ID', { queue_id: id });
  }

  #page(params: SeenRequest['params']): HttpResponse {
    const anchor = Number(params['anchor']);
    const isPrivateOnly = params['narrow']?.includes('"private"') === true;
    const all = this.messages.filter(({ type }) => !isPrivateOnly || type === 'private');
    const older = all.filter(({ id }) => id < anchor);
    const newer = all.filter(({ id }) => id > anchor);
    const before = older.slice(Math.max(0, older.length - Number(params['num_before'])));
    const after = newer.slice(0, Number(params['num_after']));
    const selected = [...before, ...all.filter(({ id }) => id === anchor), ...after];
    return ok({
      anchor,
      found_anchor: true,
      found_oldest: before.length === older.length,
      found_newest: after.length === newer.length,
      history_limited: false,
      messages: selected.map((message) => ({ ...message, flags: [] })),
    });
  }
}

const formFields = (body: HttpRequest['body']): Record<string, string> =>
  typeof body !== 'string' ? {} : Object.fromEntries(new URLSearchParams(body));
