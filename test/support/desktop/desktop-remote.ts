/** An organization on another computer: a service of its own that can be stopped and started again. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { freePort } from '../ports.ts';
import { waitForMainView } from './desktop-app.ts';
import { signIn } from './desktop-places.ts';
import {
  call,
  chooseOwnPassword,
  credentials,
  startService,
  type Credentials,
  type RunningService,
} from '../service/service.ts';

/** Who sits at the window. */
export const dora = {
  fullName: 'Dora Desktop',
  email: 'dora@example.com',
  password: 'a password for the window',
} as const;

export interface RemoteOffice {
  readonly origin: string;
  readonly ada: Credentials;
  readonly ben: Credentials;
  readonly doraId: number;
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Neither answers nor refuses until `resume`. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly remove: () => Promise<void>;
  /** One request that has to succeed. */
  readonly ask: (
    who: Credentials,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    params?: Readonly<Record<string, unknown>>,
  ) => Promise<Record<string, unknown>>;
  /** Messages to a topic, in this order: the id of the last one. */
  readonly say: (
    who: Credentials,
    stream: string,
    topic: string,
    ...contents: readonly string[]
  ) => Promise<number>;
  readonly tell: (who: Credentials, content: string) => Promise<number>;
  /** What stands in a conversation, oldest first, as somebody else sees it. */
  readonly contents: (
    who: Credentials,
    narrow: readonly (readonly [operator: string, operand: string])[],
  ) => Promise<readonly string[]>;
}

export async function startRemoteOffice(): Promise<RemoteOffice> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hearth-remote-'));
  const port = await freePort();
  const run = (): Promise<RunningService> =>
    startService({ dev: true, dataDir, args: ['--port', String(port)] });
  let running: RunningService | undefined = await run();
  const { origin } = running;

  const ask: RemoteOffice['ask'] = async (who, method, path, params = {}) => {
    const { status, body } = await call(origin, who, method, path, params);
    if (status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
    return body;
  };
  const stop = async (): Promise<void> => {
    await running?.stop();
    running = undefined;
  };
  const ada = await credentials(origin, 'ada@example.com');
  const ben = await credentials(origin, 'ben@example.com');
  const { user_id: doraId } = await ask(ada, 'POST', '/users', {
    email: dora.email,
    password: 'a first password',
    full_name: dora.fullName,
  });
  await chooseOwnPassword(origin, { ...dora, given: 'a first password' });
  return {
    origin,
    ada,
    ben,
    doraId: Number(doraId),
    ask,
    stop,
    start: async () => {
      running ??= await run();
    },
    pause: () => void running?.process.kill('SIGSTOP'),
    resume: () => void running?.process.kill('SIGCONT'),
    remove: async () => {
      running?.process.kill('SIGCONT');
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    say: async (who, to, topic, ...contents) => {
      let id = 0;
      for (const content of contents) {
        const answer = await ask(who, 'POST', '/messages', { type: 'stream', to, topic, content });
        id = Number(answer['id']);
      }
      return id;
    },
    tell: async (who, content) => {
      const params = { type: 'private', to: [dora.email], content };
      return Number((await ask(who, 'POST', '/messages', params))['id']);
    },
    contents: async (who, narrow) => {
      const { messages } = await ask(who, 'GET', '/messages', {
        anchor: 'newest',
        num_before: 100,
        num_after: 0,
        apply_markdown: false,
        narrow,
      });
      return (messages as readonly { readonly content: string }[]).map(({ content }) => content);
    },
  };
}

/** Signs in at it as the first thing that the application does. */
export async function joinOffice(page: Page, { origin }: RemoteOffice): Promise<void> {
  await page.getByText('Connect to an existing one').click();
  await signIn(page, { origin, email: dora.email, password: dora.password });
  await waitForMainView(page);
}
