import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  call,
  credentials,
  startService,
  startServiceForTest,
} from '../support/service/service.ts';
import { temporaryDir } from '../support/service/store.ts';

const script = fileURLToPath(new URL('../support/service/python_client.py', import.meta.url));
const hasPython = spawnSync('python3', ['-c', ''], { stdio: 'ignore' }).status === 0;
const isCi = Boolean(process.env['CI']) && process.env['CI'] !== 'false';

type Json = Readonly<Record<string, unknown>>;

const ok = { result: 'success', msg: '' };

/** Runs the client; every line that it prints is a JSON object. */
function startClient(...args: readonly string[]) {
  if (!hasPython) throw new Error('python3 is not installed');
  const child = spawn('python3', [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'close');
  return {
    next: async (): Promise<Json> => {
      const line = await lines.next();
      if (line.done === true) {
        await ended;
        throw new Error(`the client has ended: ${stderr}`);
      }
      return JSON.parse(line.value) as Json;
    },
    ended: async (): Promise<void> => {
      await ended;
      expect(stderr).toBe('');
      expect(child.exitCode).toBe(0);
    },
  };
}

const contentsSent = [
  'subject',
  'list of one name',
  'ünïcode é 🙂 & + %',
  'list of addresses',
  'an address',
  'addresses and commas',
  'list of ids',
  "everybody's id, the sender's too",
  'as bots answer',
];

// Where there is no Python, these are left out; where nothing may be left out, they fail.
describe.skipIf(!hasPython && !isCi)('the Python client library of the Zulip 2.1 API', () => {
  test('the Python client library completes every call that its scripts and bots make', async () => {
    const { origin } = await startServiceForTest({ dev: true });
    const cleo = await credentials(origin, 'cleo@example.com');
    const ben = await credentials(origin, 'ben@example.com');
    const client = startClient('tour', origin, cleo.email, cleo.key, ben.email, ben.key);
    const out = await client.next();
    await client.ended();

    expect(out['settings']).toMatchObject({ result: 'success', zulip_version: '2.1.0' });
    expect(out['settings']).not.toHaveProperty('zulip_feature_level');
    expect(out['profile']).toMatchObject({
      email: cleo.email,
      full_name: 'Cleo Member',
      user_id: expect.any(Number),
    });
    expect(out['subscribed']).toMatchObject({ subscribed: { [cleo.email]: ['python'] } });
    expect(out['subscribed_again']).toMatchObject({
      subscribed: {},
      already_subscribed: { [cleo.email]: ['python'] },
      unauthorized: [],
    });
    expect(out['subscriptions']).toMatchObject({
      subscriptions: expect.arrayContaining([
        expect.objectContaining({ name: 'python', description: 'Where scripts talk' }),
      ]),
    });
    expect(out['sent']).toEqual(contentsSent.map(() => ({ ...ok, id: expect.any(Number) })));

    const events = out['events'] as Json[];
    expect(out['is_waiting']).toBe(false);
    expect(events[0]).toMatchObject({ type: 'registered' });
    const messages = events.slice(1).map((event) => event['message'] as Json);
    expect(messages.map((message) => message['content'])).toEqual(contentsSent);
    expect(messages.map((message) => message['id'])).toEqual(
      (out['sent'] as Json[]).map((answer) => answer['id']),
    );
    expect(new Set(messages.map((message) => message['client']))).toEqual(new Set(['ZulipPython']));
    expect(messages[0]).toMatchObject({ display_recipient: 'python', subject: 'castle' });
    expect(messages[2]).toMatchObject({ subject: 'ünïcode & 100% +1' });
    for (const event of events.slice(1))
      expect(event).toMatchObject({ type: 'message', flags: [] });

    expect(out['topics']).toMatchObject({
      topics: [{ name: 'ünïcode & 100% +1' }, { name: 'castle' }],
    });
    const history = (out['history'] as Json)['messages'] as Json[];
    expect(history.map((message) => message['content'])).toEqual(contentsSent.slice(0, 3));
    expect(out['first_unread']).toMatchObject({
      anchor: messages[3]!['id'],
      found_anchor: true,
    });

    const fetched = (out['fetched'] as Json)['events'] as Json[];
    expect(fetched.filter((event) => event['type'] === 'message')).toHaveLength(9);
    expect(out['deregistered']).toEqual(ok);
    expect(out['retries']).toBe(0);
  });

  test('the Python client finds in errors what it looks for', async () => {
    const { origin } = await startServiceForTest({ dev: true });
    const cleo = await credentials(origin, 'cleo@example.com');
    const ben = await credentials(origin, 'ben@example.com');
    const client = startClient('tour', origin, cleo.email, cleo.key, ben.email, ben.key);
    const out = await client.next();
    const { queue_id: queueId } = out['registered_all'] as Json;
    expect(out['gone']).toEqual({
      result: 'error',
      msg: `Bad event queue id: ${String(queueId)}`,
      code: 'BAD_EVENT_QUEUE_ID',
      queue_id: queueId,
    });
    expect(out['unknown_queue']).toMatchObject({ msg: 'Bad event queue id: 1234567890:1' });
    expect(out['no_stream']).toMatchObject({
      result: 'error',
      code: 'STREAM_DOES_NOT_EXIST',
      stream: 'nowhere',
    });
    expect(out['no_content']).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'content',
    });
    expect(out['wrong_key']).toMatchObject({ result: 'error', code: 'INVALID_API_KEY' });
  });

  test('the Python client goes on with its queue when the service is killed and started again', async () => {
    const dataDir = temporaryDir();
    const first = await startService({ dev: true, dataDir });
    onTestFinished(first.kill);
    const { origin } = first;
    const cleo = await credentials(origin, 'cleo@example.com');
    const ben = await credentials(origin, 'ben@example.com');
    const send = (content: string) =>
      call(origin, ben, 'POST', '/messages', { type: 'private', to: cleo.email, content });
    const client = startClient('follow', origin, cleo.email, cleo.key);
    expect(await client.next()).toMatchObject({ type: 'registered' });
    await send('before');
    expect(await client.next()).toMatchObject({ message: { content: 'before' } });
    await first.kill();
    const second = await startService({
      dev: true,
      dataDir,
      args: ['--port', new URL(origin).port],
    });
    onTestFinished(second.kill);
    await send('after');
    await send('done');
    expect(await client.next()).toMatchObject({ message: { content: 'after' } });
    expect(await client.next()).toMatchObject({ message: { content: 'done' } });
    const end = await client.next();
    expect(end['type']).toBe('end');
    expect(end['retries']).toBeGreaterThan(0);
    await client.ended();
    expect(await second.stop()).toBe(0);
  });
});
