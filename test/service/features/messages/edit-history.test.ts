/** One message, what it said before, and how a text would look (API decisions 5 and 7.1). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  hookBot,
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { edit, get, history } = api.lifecycle;
const { render } = api.messages;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

let topic = '';
let count = 0;
beforeEach(() => {
  set({});
  count += 1;
  topic = `topic ${count}`;
});

const set = (settings: Params): void => {
  service.change('UPDATE realm SET settings = ?', JSON.stringify(settings));
};

const change = (who: string, id: number, params: Params) =>
  service.ask(who, edit, { message_id: id, ...params });
const versions = async (who: string, id: number) =>
  (await service.ask(who, history, { message_id: id })).message_history;

describe('one message', () => {
  test('a single message is answered as a page answers it, with what was typed [edit-history.single-message-answered]', async () => {
    const id = await service.say(cleo, 'general', topic, '**b** @**Ben Member**');
    const answer = await service.ask(ben, get, { message_id: id });
    expect(answer).toEqual({
      raw_content: '**b** @**Ben Member**',
      message: await service.read(ben, id),
    });
    expect(answer.message).toMatchObject({ content_type: 'text/html', flags: ['mentioned'] });
  });

  test('a single message has its content as it was typed where that is asked for [edit-history.single-message-content]', async () => {
    const id = await service.say(cleo, 'general', topic, '**b**');
    const { message } = await service.ask(ben, get, { message_id: id, apply_markdown: false });
    expect(message).toMatchObject({ content: '**b**', content_type: 'text/x-markdown' });
  });

  test('a message of a public stream may be seen by members who do not hold it [edit-history.message-public-stream]', async () => {
    const id = await service.say(ben, 'engineering', topic);
    const { message } = await service.ask(cleo, get, { message_id: id });
    expect(message.flags).toEqual(['read', 'historical']);
    expect((await service.refuse(gus, get, { message_id: id })).msg).toBe('Invalid message(s)');
  });

  test('a message of a private stream with open history may be seen by those who came later', async () => {
    for (const isOpen of [true, false]) {
      const name = `${topic} ${isOpen ? 'open' : 'closed'}`;
      const params = { invite_only: true, history_public_to_subscribers: isOpen };
      await service.join(ben, [name], params);
      const id = await service.say(ben, name, topic);
      await service.join(ben, [name], { principals: [cleo] });
      const { status } = await service.answer(cleo, get, { message_id: id });
      expect(status).toBe(isOpen ? 200 : 400);
    }
  });

  test('a message that was private may be seen by its participants alone [edit-history.message-private-seen]', async () => {
    const id = await service.tell(ben, [cleo]);
    expect((await service.ask(cleo, get, { message_id: id })).message.type).toBe('private');
    for (const who of [ada, gus, echoBot]) {
      expect((await service.refuse(who, get, { message_id: id })).msg).toBe('Invalid message(s)');
    }
  });

  test('a message of an archived stream may be seen by those who hold it', async () => {
    const name = `archive ${topic}`;
    await service.join(ben, [name]);
    const id = await service.say(ben, name, topic);
    service.change('UPDATE stream SET is_archived = 1 WHERE name = ?', name);
    expect((await service.ask(ben, get, { message_id: id })).message.id).toBe(id);
    expect((await service.refuse(cleo, get, { message_id: id })).msg).toBe('Invalid message(s)');
  });

  test('a single message is named by a number', async () => {
    expect((await service.send(ben, 'GET /messages/abc')).status).toBe(404);
    expect((await service.send(hookBot, 'GET /messages/1')).status).toBe(401);
  });
});

describe('the history of a message', () => {
  test('the history of a message that was never edited is the original alone [edit-history.message-never-edited]', async () => {
    const id = await service.say(cleo, 'general', topic, '*a*');
    const { timestamp } = (await service.read(ben, id)) ?? {};
    expect(await versions(ben, id)).toEqual([
      {
        topic,
        content: '*a*',
        rendered_content: '<p><em>a</em></p>',
        user_id: idOf[cleo],
        timestamp,
      },
    ]);
  });

  test('the history of a message tells what every edit changed, and survives a restart [edit-history.message-changed-survives]', async () => {
    const id = await service.say(cleo, 'general', topic, 'doen now');
    await change(cleo, id, { content: 'done now' });
    await change(ben, id, { topic: `${topic} b` });
    await change(cleo, id, { content: 'done', topic: `${topic} c` });
    await service.restart();
    const timestamp = expect.any(Number) as number;
    expect(await versions(ben, id)).toEqual([
      {
        topic,
        content: 'doen now',
        rendered_content: '<p>doen now</p>',
        user_id: idOf[cleo],
        timestamp,
      },
      {
        topic,
        content: 'done now',
        rendered_content: '<p>done now</p>',
        user_id: idOf[cleo],
        timestamp,
        prev_content: 'doen now',
        prev_rendered_content: '<p>doen now</p>',
        content_html_diff:
          '<p><span class="highlight_text_deleted">doen</span><span class="highlight_text_inserted">done</span> now</p>',
      },
      {
        topic: `${topic} b`,
        content: 'done now',
        rendered_content: '<p>done now</p>',
        user_id: idOf[ben],
        timestamp,
        prev_topic: topic,
      },
      {
        topic: `${topic} c`,
        content: 'done',
        rendered_content: '<p>done</p>',
        user_id: idOf[cleo],
        timestamp,
        prev_content: 'done now',
        prev_rendered_content: '<p>done now</p>',
        prev_topic: `${topic} b`,
        content_html_diff: '<p>done<span class="highlight_text_deleted"> now</span></p>',
      },
    ]);
  });

  test('the history of a message keeps every version, whenever and by whomever the edit was made', async () => {
    const id = await service.say(ada, 'general', topic, 'v0');
    set({ message_content_edit_limit_seconds: 0 });
    for (let version = 1; version <= 5; version += 1) {
      await change(ada, id, { content: `v${version}` });
    }
    const contents = (await versions(ben, id)).map(({ content }) => content);
    expect(contents).toEqual(['v0', 'v1', 'v2', 'v3', 'v4', 'v5']);
  });

  test('the history of a message that moved along with another tells of the move, and lists of messages do not', async () => {
    const along = await service.say(cleo, 'general', topic);
    const named = await service.say(ben, 'general', topic);
    await change(ben, named, { topic: `${topic} b`, propagate_mode: 'change_all' });
    expect(await versions(ada, along)).toMatchObject([
      { topic, user_id: idOf[cleo] },
      { topic: `${topic} b`, prev_topic: topic, user_id: idOf[ben] },
    ]);
    const listed = await service.read(ada, along);
    expect(listed).toMatchObject({ subject: `${topic} b` });
    expect(listed).not.toHaveProperty('last_edit_timestamp');
    expect(listed).not.toHaveProperty('edit_history');
    expect(await service.read(ada, named)).toHaveProperty('edit_history');
  });

  test('the history of a message that moved to another stream has a version for the move', async () => {
    const id = await service.say(ada, 'general', topic);
    await change(ada, id, { stream_id: 2 });
    const snapshots = await versions(ada, id);
    expect(snapshots).toHaveLength(2);
    expect(snapshots[1]).not.toHaveProperty('prev_topic');
  });

  test('the history of a private message has an empty topic', async () => {
    const id = await service.tell(cleo, [ben]);
    expect(await versions(ben, id)).toMatchObject([{ topic: '' }]);
  });

  test('the history of a message is hidden where the message is, in the same words [edit-history.message-hidden-words]', async () => {
    const secret = await service.tell(ben, [cleo]);
    for (const id of [secret, 999_999]) {
      expect(await service.refuse(ada, history, { message_id: id })).toMatchObject({
        code: 'BAD_REQUEST',
        msg: 'Invalid message(s)',
      });
    }
  });

  test('the history of a message is not shown where the organization does not want it to be', async () => {
    const id = await service.say(cleo, 'general', topic);
    set({ allow_edit_history: false });
    expect(await service.refuse(cleo, history, { message_id: id })).toMatchObject({
      code: 'BAD_REQUEST',
    });
  });
});

describe('a listed message', () => {
  test('a listed message that was never edited has no keys of edits', async () => {
    const id = await service.say(cleo, 'general', topic);
    expect(await service.read(ben, id)).not.toHaveProperty('last_edit_timestamp');
    expect(await service.read(ben, id)).not.toHaveProperty('edit_history');
  });

  test('a listed message that was edited lists its edits, newest first', async () => {
    const id = await service.say(cleo, 'general', topic, 'a');
    await change(cleo, id, { content: 'b' });
    await change(ben, id, { topic: `${topic} b` });
    service.change('UPDATE message_edit SET edited_at = 1700000000 + id WHERE message_id = ?', id);
    const message = await service.read(gus, id, { apply_markdown: false });
    const timestamp = expect.any(Number) as number;
    expect(message).toMatchObject({ last_edit_timestamp: timestamp });
    expect(message?.edit_history).toEqual([
      { user_id: idOf[ben], timestamp, prev_subject: topic },
      {
        user_id: idOf[cleo],
        timestamp,
        prev_content: 'a',
        prev_rendered_content: '<p>a</p>',
        prev_rendered_content_version: 1,
      },
    ]);
    const [newest, oldest] = message?.edit_history ?? [];
    expect((newest?.timestamp ?? 0) - (oldest?.timestamp ?? 0)).toBe(1);
  });

  test('a listed message still says when it was last edited where history is off', async () => {
    const id = await service.say(cleo, 'general', topic, 'a');
    await change(cleo, id, { content: 'b' });
    set({ allow_edit_history: false });
    const message = await service.read(ben, id);
    expect(message).toHaveProperty('last_edit_timestamp');
    expect(message).not.toHaveProperty('edit_history');
  });
});

describe('a text', () => {
  test('a text is rendered as it would be in a message of the caller, and is not sent [edit-history.text-rendered-would]', async () => {
    const before = service.dump();
    const content = '**b** @**Ben Member** #**leads** #**engineering**';
    const asBen = await service.ask(ben, render, { content });
    expect(asBen.rendered).toContain('<strong>b</strong>');
    expect(asBen.rendered).toContain('data-user-id="2"');
    expect(asBen.rendered).toContain('data-stream-id="3"');
    const asCleo = await service.ask(cleo, render, { content });
    expect(asCleo.rendered).toContain('data-stream-id="2"');
    expect(asCleo.rendered).not.toContain('data-stream-id="3"');
    expect(service.dump()).toEqual(before);
  });

  test('a text to render may be empty, but not too long [edit-history.text-render-empty]', async () => {
    expect(await service.ask(echoBot, render, { content: ' ' })).toEqual({ rendered: '' });
    const long = { content: 'x'.repeat(10_001) };
    expect(await service.refuse(ben, render, long)).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await service.refuse(ben, render)).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'content',
    });
  });
});
