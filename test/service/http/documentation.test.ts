import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { causes } from '#shared/api/causes.ts';
import { api } from '#shared/api/endpoints/index.ts';
import { Event } from '#shared/api/events.ts';
import { errorCodes } from '#shared/api/error-descriptions.ts';
import { limitNames, limitOption } from '#shared/limits.ts';
import { answerBody, answerTo, exampleOfSchema } from '#service/http/documentation/answers.ts';
import { describeApi, describeGroup } from '#service/http/documentation/describe.ts';
import { describeEvents } from '#service/http/documentation/events.ts';
import { exampleOf } from '#service/http/documentation/examples.ts';
import { firstBots } from '#service/http/documentation/first-bot.ts';
import { html } from '#service/http/documentation/html.ts';
import { pages } from '#service/http/documentation/pages.ts';
import { groupOrder, pathOfSubject, subjects } from '#service/http/documentation/subjects.ts';
import { choicesOf, fieldsOf, typeText } from '#service/http/documentation/types.ts';
import {
  ada,
  ben,
  echoBot,
  hookBot,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), 'hearth-docs-'));
  // A picture of one transparent pixel.
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  await writeFile(join(folder, 'picture.png'), Buffer.from(pixel, 'base64'));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(new URL(path, service.origin), { redirect: 'manual', ...init });

describe('the document', () => {
  test('the OpenAPI document is served to everybody, has a version, and is not sent again to whoever has it', async () => {
    const response = await get('/api/v1/openapi.json', { headers: { authorization: 'x' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const etag = response.headers.get('etag') ?? '';
    const document = (await response.json()) as Record<string, unknown>;
    expect(document).not.toHaveProperty('result');
    expect(document['openapi']).toBe('3.1.0');
    const again = await get('/api/v1/openapi.json', { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await get('/api/v1/openapi.json', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const options = await get('/api/v1/openapi.json', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD']);
    expect((await get('/api/v1/openapi.json', { method: 'POST' })).status).toBe(405);
  });
});

const paths = [...pages.keys()];
const textOf = async (path: string): Promise<string> => (await get(path)).text();

describe('the pages', () => {
  test('every group of the endpoint table is on one page', () => {
    expect([...groupOrder].sort()).toEqual(Object.keys(api).sort());
  });

  test.each(paths)('the page %s runs and loads nothing', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]+=*'; /,
    );
    const text = await response.text();
    expect(text).not.toMatch(/<script|<img|<link| src=| style=| on[a-z]+=/);
    const etag = response.headers.get('etag') ?? '';
    expect((await get(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test('the first page is found without the slash, and under any name of the service', async () => {
    const redirect = await get('/api');
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '/api/']);
    expect((await get('/api/', { headers: { host: 'ignored' } })).status).toBe(200);
    expect((await get('/api/nothing')).status).toBe(404);
  });

  test('the pages name every endpoint, argument, choice, error and limit, under the address of the reader', async () => {
    for (const subject of subjects) {
      const text = await textOf(pathOfSubject(subject));
      for (const operation of subject.groups.flatMap(describeGroup)) {
        const { endpoint, id, parameters } = operation;
        const start = text.indexOf(`id="endpoint-${id}"`);
        expect(start, id).toBeGreaterThan(0);
        const article = text.slice(start, text.indexOf('</article>', start));
        const shown = parameters.flatMap(({ name, schema }) => [name, ...choicesOf(schema)]);
        for (const each of shown) expect(article).toContain(`<code>${each}</code>`);
        for (const each of [endpoint.summary, exampleOf(operation, service.origin)]) {
          expect(article).toContain(html`${each}`.text);
        }
        expect(article).toContain(html`${answerTo(operation)}`.text);
      }
    }
    const text = await textOf('/api/requests');
    for (const code of errorCodes) expect(text).toContain(`id="error-${code}"`);
    for (const name of limitNames) expect(text).toContain(`<code>${limitOption(name)}</code>`);
    const events = await textOf('/api/events');
    for (const { title } of describeEvents()) expect(events).toContain(`<code>${title}</code>`);
  });

  test('the pages and the document list every cause of a refusal with its values', async () => {
    const page = await (await get('/api/requests')).text();
    for (const name of Object.values(causes).flatMap(Object.keys)) {
      expect(page).toContain(`<code>${name}</code>`);
    }
    expect(page).toContain('Stream name &#39;{name}&#39; is already taken');
    const document = await (await get('/api/v1/openapi.json')).text();
    expect(document).toContain('"stream_name_taken"');
  });

  test('the pages link only to what is there', async () => {
    const texts = new Map<string, string>();
    for (const path of paths) texts.set(path, await textOf(path));
    const all = new Set<string>(['/api/v1/openapi.json']);
    for (const [path, text] of texts) {
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const each of ['', ...ids.map((id) => `#${id}`)]) all.add(path + each);
    }
    for (const [path, text] of texts) {
      const targets = [...text.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) =>
        href.startsWith('#') ? path + href : href,
      );
      expect(targets.filter((each) => !all.has(each))).toEqual([]);
    }
  });

  test('a choice of numbers says what each of them means', () => {
    for (const { id, parameters } of describeApi()) {
      for (const { name, schema, note } of parameters) {
        const numbers = choicesOf(schema).filter((each) => /^\d+$/.test(each));
        for (const each of numbers) expect(note, `${id} ${name}`).toMatch(RegExp(`\\b${each} `));
      }
    }
  });

  test('the pages show what a request says as text', () => {
    expect(html`<b>${'<i>&"\'</i>'}</b>`.text).toBe('<b>&lt;i&gt;&amp;&quot;&#39;&lt;/i&gt;</b>');
  });
});

interface Ran {
  readonly code: number | null;
  readonly output: string;
}

function shell(command: string, env: Readonly<Record<string, string>>): Promise<Ran> {
  const child = spawn('bash', ['-c', command], { cwd: folder, env: { ...process.env, ...env } });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}

describe('the example of an answer', () => {
  test.each(describeApi().map((each) => [each.id, each] as const))(
    '%s answers what its example shows',
    (_, operation) => {
      const { result, msg, ...own } = answerBody(operation);
      expect([result, msg]).toEqual(['success', '']);
      expect(operation.endpoint.result.safeParse(own).error).toBeUndefined();
      for (const key of Object.keys(own))
        expect(operation.result['properties']).toHaveProperty(key);
    },
  );

  test('an example of each event is one', () => {
    for (const { title, schema } of describeEvents()) {
      expect(Event.safeParse(JSON.parse(exampleOfSchema(schema))).error, title).toBeUndefined();
    }
  });
});

describe('an example', () => {
  const operationOf = (endpoint: unknown) => {
    const found = describeApi().find((each) => each.endpoint === endpoint);
    if (found === undefined) throw new Error('there is no such endpoint');
    return found;
  };

  async function run(endpoint: unknown, who: string, more: Record<string, string> = {}) {
    const command = exampleOf(operationOf(endpoint), service.origin);
    const key = await service.keyOf(who);
    const { output } = await shell(command, { HEARTH_EMAIL: who, HEARTH_KEY: key, ...more });
    return JSON.parse(output) as Record<string, unknown>;
  }

  test('an example works when it is copied into a shell', async () => {
    const endpoints: readonly (readonly [unknown, string])[] = [
      [api.server.settings, ada],
      [api.messages.send, ben],
      [api.messages.page, ben],
      [api.lifecycle.get, ben],
      [api.lifecycle.edit, ben],
      [api.lifecycle.history, ben],
      [api.messages.render, ben],
      [api.reactions.add, ben],
      [api.reactions.remove, ben],
      [api.streams.subscribe, ben],
      [api.streams.list, ben],
      [api.streams.topics, ben],
      [api.users.me, ben],
      [api.users.list, ben],
      [api.users.create, ada],
      [api.typing.notify, ben],
      [api.uploads.upload, ben],
      [api.uploads.list, ben],
      [api.uploads.remove, ben],
      [api.webhooks.receive, hookBot],
      [api.lifecycle.delete, ada],
    ];
    for (const [endpoint, who] of endpoints) {
      const { id: name } = operationOf(endpoint);
      const { result, msg } = await run(endpoint, who);
      expect({ name, result, msg }).toEqual({ name, result: 'success', msg: '' });
    }
  });

  test('an example for a queue takes the queue that was registered', async () => {
    const { queue_id: queueId } = await run(api.events.register, ben);
    const more = { QUEUE_ID: String(queueId) };
    expect(await run(api.events.poll, ben, more)).toMatchObject({ events: [] });
    expect(await run(api.events.deleteQueue, ben, more)).toMatchObject({ result: 'success' });
  });

  test('every endpoint understands its own example, even if it is not always possible', async () => {
    const own = await startTestService();
    onTestFinished(() => own.stop());
    await own.say(ada, 'general', 'greetings');
    const env = { HEARTH_EMAIL: ada, HEARTH_KEY: await own.keyOf(ada) };
    // The other one would take the key away from all that follow.
    const operations = describeApi().filter(
      ({ endpoint }) => endpoint.path !== '/users/me/api_key/regenerate',
    );
    const commands = operations.map((operation) => exampleOf(operation, own.origin));
    const { output } = await shell(commands.join('\necho\n'), env);
    const answers = output.split('\n');
    expect(answers).toHaveLength(operations.length);
    for (const [index, operation] of operations.entries()) {
      const { result, code } = JSON.parse(answers[index] ?? '') as Record<string, unknown>;
      if (result === 'error') {
        expect([operation.id, code]).not.toEqual([
          operation.id,
          expect.stringMatching(/^(?:REQUEST_|INVALID_|UNAUTHORIZED|NOT_FOUND|METHOD_|INTERNAL_)/),
        ]);
      }
    }
  });

  test.each(describeApi().map((each) => [each.id, each] as const))(
    'the example for %s gives every required argument',
    (_, operation) => {
      const command = exampleOf(operation, 'http://a.example');
      expect(command).not.toMatch(/\/:[a-z]/);
      if (operation.endpoint.auth === 'webhook') return;
      for (const { name, place, isRequired } of operation.parameters) {
        if (isRequired && place !== 'path') expect(command).toContain(`${name}=`);
      }
    },
  );

  test('an example keeps what a shell would change', async () => {
    const operation = operationOf(api.linkifiers.add);
    const { output } = await shell(
      exampleOf(operation, 'http://127.0.0.1:1').replace('curl', 'printf "%s\\n"'),
      { HEARTH_EMAIL: 'a', HEARTH_KEY: 'b' },
    );
    expect(output).toContain('pattern=#(?P<id>[0-9]+)');
  });
});

describe('a first bot', () => {
  test.each(firstBots.map((each) => [each.language, each] as const))(
    'the one in %s answers whoever writes to it',
    async (_, { file, command, source }) => {
      await writeFile(join(folder, file), source);
      const key = await service.keyOf(echoBot);
      const env = { HEARTH_SITE: service.origin, HEARTH_EMAIL: echoBot, HEARTH_KEY: key };
      const [program = '', ...args] = command.split(' ');
      const child = spawn(program, args, {
        cwd: folder,
        env: { ...process.env, ...env },
        detached: true,
      });
      onTestFinished(() => {
        if (child.pid !== undefined) process.kill(-child.pid);
      });
      const started = once(child.stdout, 'data');
      const errors = text(child.stderr);
      const first = await Promise.race([started, errors.then((said) => [said])]);
      // Python may write the end of the line by itself.
      expect(String(first[0]).trimEnd()).toBe('listening');
      const asked = await service.tell(ben, [echoBot], 'Are you there?');
      const answers = async (): Promise<readonly string[]> => {
        const narrow = [{ operator: 'pm-with', operand: echoBot }];
        const page = { anchor: asked, num_before: 0, num_after: 5, narrow, apply_markdown: false };
        const { messages } = await service.ask(ben, api.messages.page, page);
        return messages.filter(({ id }) => id > asked).map(({ content }) => content);
      };
      await expect
        .poll(answers)
        .toEqual([file === 'bot.sh' ? 'I have read it.' : 'You said: Are you there?']);
    },
  );
});

test.each<[object, string]>([
  [{ type: 'string' }, 'string'],
  [{}, 'any'],
  [{ type: 'array', items: { type: 'integer' } }, 'list of integer'],
  [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] }, '[string, integer]'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }, { type: 'string' }] }, 'string or null'],
  [{ type: ['string', 'null'] }, 'string or null'],
  [{ enum: ['a', 'b'] }, '"a" | "b"'],
  [{ const: false }, 'false'],
  [{ type: 'object', additionalProperties: { type: 'boolean' } }, 'object of boolean'],
  [{ $ref: '#/components/schemas/Event' }, 'event'],
])('the schema %j is said as %s', (schema, text) => {
  expect(typeText({ ...schema })).toBe(text);
});

test('the fields of a list of objects are those of its objects', () => {
  const schema = {
    anyOf: [
      { type: 'null' },
      {
        type: 'array',
        items: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      },
    ],
  };
  expect(fieldsOf(schema)).toEqual([
    { name: 'a', type: 'string', isAlwaysThere: true, fields: [] },
  ]);
});
