/** Other people of a development service, who use other programs, and the person's own other device. */
import { apiKey, call, type Credentials } from '../service/service.ts';

export const ids = { ada: 1, ben: 2, cleo: 3, gus: 4 } as const;
type Name = keyof typeof ids;

export class Mate {
  readonly #origin: () => string;
  readonly #auth: Credentials;

  constructor(origin: () => string, auth: Credentials) {
    this.#origin = origin;
    this.#auth = auth;
  }

  static async of(origin: () => string, name: Name): Promise<Mate> {
    const email = `${name}@example.com`;
    return new Mate(origin, { email, key: await apiKey(origin(), email) });
  }

  async ask(
    method: string,
    path: string,
    params: Readonly<Record<string, unknown>> = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const { status, body } = await call(this.#origin(), this.#auth, method, path, params);
    if (status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
    return body;
  }

  async say(stream: string, topic: string, content: string): Promise<number> {
    const message = { type: 'stream', to: [stream], topic, content };
    return Number((await this.ask('POST', '/messages', message))['id']);
  }

  async tell(to: Name, content: string): Promise<number> {
    const message = { type: 'private', to: [`${to}@example.com`], content };
    return Number((await this.ask('POST', '/messages', message))['id']);
  }

  edit(id: number, content: string): Promise<unknown> {
    return this.ask('PATCH', `/messages/${String(id)}`, { content });
  }

  delete(id: number): Promise<unknown> {
    return this.ask('DELETE', `/messages/${String(id)}`);
  }

  react(id: number, emoji: string): Promise<unknown> {
    return this.ask('POST', `/messages/${String(id)}/reactions`, { emoji_name: emoji });
  }

  flag(
    op: 'add' | 'remove',
    flag: 'read' | 'starred',
    messages: readonly number[],
  ): Promise<unknown> {
    return this.ask('POST', '/messages/flags', { messages, op, flag });
  }

  /** Flags of a message, as this account has it. */
  async flagsOf(id: number): Promise<readonly string[]> {
    const page = { anchor: id, num_before: 0, num_after: 0 };
    const { messages } = await this.ask('GET', '/messages', page);
    const [message] = messages as readonly { readonly flags: readonly string[] }[];
    return message?.flags ?? [];
  }

  /** Everything that this account has, oldest first: as it was written. */
  async contents(): Promise<readonly string[]> {
    const page = { anchor: 'newest', num_before: 5000, num_after: 0, apply_markdown: false };
    const { messages } = await this.ask('GET', '/messages', page);
    return (messages as readonly { readonly content: string }[]).map(({ content }) => content);
  }
}
