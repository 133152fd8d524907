/** One account of every kind that calls can come from (API decisions, section 10.4). */
import { api } from '../../../src-main/contract/api/index.ts';
import type { AnyEndpoint } from '../../../src-main/contract/endpoint.ts';
import type { Actor } from '../../../src-main/service/domain/rules/permissions.ts';
import { ada, ben, cleo, echoBot, gus, hookBot, type Params, type TestService } from '../api.ts';

export const outgoingBot = 'out-bot@127.0.0.1';

/** A value for each kind of caller; `nobody` has no account. */
export const callers = {
  admin: { email: ada, role: 'admin', botType: null },
  member: { email: ben, role: 'member', botType: null },
  guest: { email: gus, role: 'guest', botType: null },
  'generic bot': { email: echoBot, role: 'member', botType: 1 },
  'webhook bot': { email: hookBot, role: 'member', botType: 2 },
  'outgoing bot': { email: outgoingBot, role: 'member', botType: 3 },
  nobody: null,
} as const satisfies Record<string, (Actor & { readonly email: string }) | null>;

export type Kind = keyof typeof callers;
export const kinds = Object.keys(callers) as readonly Kind[];

export const emailOf = (kind: Kind): string | null => callers[kind]?.email ?? null;

/** What calls are about. Everything that a call uses up is made anew for each. */
export class MatrixWorld {
  readonly service: TestService;
  #count = 0;

  constructor(service: TestService) {
    this.service = service;
  }

  async prepare(): Promise<void> {
    await this.service.ask(ben, api.bots.create, {
      full_name: 'Out Bot',
      short_name: 'out',
      bot_type: 3,
      payload_url: 'https://hooks.example.com/hearth',
    });
    await this.service.join(ada, ['general'], { principals: [outgoingBot] });
    await this.service.say(ben, 'general', 'lunch', 'soup');
  }

  /** Something that was not there before. */
  fresh(prefix: string): string {
    return `${prefix}${String(++this.#count)}`;
  }

  /** As the account of a kind where it can; as an administrator for those who cannot do anything. */
  actAs(kind: Kind): string {
    return kind === 'nobody' || kind === 'webhook bot' ? ada : (emailOf(kind) ?? ada);
  }

  message(by: string = ben): Promise<number> {
    return this.service.say(by, 'general', 'lunch', this.fresh('message '));
  }

  async stream(more: Params = {}): Promise<{ readonly id: number; readonly name: string }> {
    const name = this.fresh('stream ');
    await this.service.join(ada, [name], more);
    const { stream_id: id } = await this.service.ask(ada, api.streams.findId, { stream: name });
    return { id, name };
  }

  async person(): Promise<number> {
    const answer = await this.service.ask(ada, api.users.create, {
      email: `${this.fresh('person')}@example.com`,
      password: 'a long password',
      full_name: this.fresh('Person '),
    });
    return answer.user_id;
  }

  async bot(owner: string): Promise<number> {
    const names = { full_name: this.fresh('Bot '), short_name: this.fresh('bot') };
    return (await this.service.ask(owner, api.bots.create, names)).user_id;
  }

  /** Somebody whom nothing here happens to. */
  readonly bystander = cleo;

  async succeeds(
    kind: Kind,
    endpoint: AnyEndpoint,
    { params, body }: { readonly params: Params; readonly body?: BodyInit },
  ): Promise<{ readonly isAllowed: boolean; readonly shown: string }> {
    const email = emailOf(kind);
    const answer = await this.service.answer(
      email,
      endpoint,
      params,
      body === undefined ? {} : { body },
    );
    if (endpoint === api.userAdmin.regenerateKey && email !== null) this.service.forgetKey(email);
    return { isAllowed: answer.status === 200, shown: JSON.stringify(answer.body).slice(0, 300) };
  }
}
