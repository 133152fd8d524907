import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  idOf,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { page } = api.messages;

let service: TestService;
/** The messages by the name under which the tables know them. */
let ids: Readonly<Record<string, number>>;
let engineeringId: number;

beforeAll(async () => {
  service = await startTestService();
  await service.join(ada, ['muted'], { principals: [ada, ben] });
  const { streams } = await service.ask(ada, api.streams.list);
  const idOfStream = (name: string): number =>
    streams.find((stream) => stream.name === name)?.stream_id ?? 0;
  engineeringId = idOfStream('engineering');
  ids = {
    deploy: await service.say(ada, 'engineering', 'Deploy', 'see https://example.com'),
    lunch: await service.say(cleo, 'general', 'lunch', 'hi @**Ben Member**'),
    all: await service.say(cleo, 'general', 'deploy', 'hi @**all**'),
    own: await service.say(ben, 'general', 'lunch', 'mine'),
    bot: await service.say(echoBot, 'general', 'bots', 'beep'),
    muted: await service.say(ada, 'muted', 'noise', 'x'),
    topical: await service.say(ada, 'general', 'muted topic', 'x'),
    image: await service.say(ada, 'general', 'files', '[a](/user_uploads/1/x/a.png)'),
    file: await service.say(ada, 'general', 'files', '[a](/user_uploads/1/x/a.txt)'),
    pair: await service.tell(cleo, [ben]),
    group: await service.tell(ben, [cleo, gus]),
    other: await service.tell(ada, [ben, gus]),
    note: await service.tell(ben, [ben]),
    hidden: await service.tell(cleo, [gus]),
  };
  service.change(
    'UPDATE stream_setting SET is_muted = 1 WHERE account_id = ? AND stream_id = ?',
    idOf[ben] ?? 0,
    idOfStream('muted'),
  );
  service.change(
    "INSERT INTO muted_topic SELECT ?, id FROM topic WHERE name = 'muted topic'",
    idOf[ben] ?? 0,
  );
  for (const [name, flag] of [
    ['deploy', 'starred'],
    ['lunch', 'has_alert_word'],
  ] as const) {
    service.change(
      'INSERT INTO message_flag (account_id, message_id, flag) VALUES (?, ?, ?)',
      idOf[ben] ?? 0,
      ids[name] ?? 0,
      flag,
    );
  }
  service.change(
    'INSERT INTO read_exception (account_id, message_id, is_read) VALUES (?, ?, 1)',
    idOf[ben] ?? 0,
    ids['bot'] ?? 0,
  );
});
afterAll(() => service.stop());

/** Puts what is known only at run time into a narrow: `#name` is a message, `$name` another id. */
function fill(text: string): string {
  return text
    .replace(/"?#(\w+)"?/g, (whole, name: string) =>
      whole.startsWith('"') ? `"${ids[name] ?? ''}"` : String(ids[name]),
    )
    .replace(/\$engineering/g, String(engineeringId))
    .replace(/\$(\w+)/g, (_, name: string) => String(idOf[`${name}@example.com`]));
}

async function select(who: string, narrow: string): Promise<string[]> {
  const { messages } = await service.ask(who, page, {
    anchor: 'oldest',
    num_before: 0,
    num_after: 100,
    narrow: fill(narrow),
  });
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  return messages.map(({ id }) => names.get(id) ?? String(id));
}

/** Everything that ben holds. */
const held = [
  'deploy',
  'lunch',
  'all',
  'own',
  'bot',
  'muted',
  'topical',
  'image',
  'file',
  'pair',
  'group',
  'other',
  'note',
];
const except = (...names: readonly string[]): string[] =>
  held.filter((name) => !names.includes(name));
const privates = ['pair', 'group', 'other', 'note'];

describe('what ben finds', () => {
  test.each<[string, readonly string[]]>([
    ['[]', held],
    ['null', held],
    ['', held],
    // stream
    ['[["stream","engineering"]]', ['deploy']],
    ['[["STREAM"," Engineering "]]', ['deploy']],
    ['[["channel","engineering"]]', ['deploy']],
    ['[["stream",$engineering]]', ['deploy']],
    ['[{"operator":"stream","operand":"engineering"}]', ['deploy']],
    ['[{"operator":"stream","operand":"engineering","negated":false}]', ['deploy']],
    ['[{"operator":"stream","operand":"engineering","negated":true}]', except('deploy')],
    ['[["stream","engineering"],["stream","general"]]', []],
    // topic
    ['[["topic","DEPLOY"]]', ['deploy', 'all']],
    ['[["subject"," deploy "]]', ['deploy', 'all']],
    ['[["stream","general"],["topic","deploy"]]', ['all']],
    ['[["topic","depl"]]', []],
    ['[{"operator":"topic","operand":"deploy","negated":true}]', except('deploy', 'all')],
    // sender
    ['[["sender","CLEO@example.com"]]', ['lunch', 'all', 'pair']],
    ['[["from",$cleo]]', ['lunch', 'all', 'pair']],
    ['[["sender","echo-bot@example.com"]]', ['bot']],
    ['[["sender",["echo-bot@example.com",$cleo]]]', ['lunch', 'all', 'bot', 'pair']],
    [
      '[{"operator":"sender","operand":"ada@example.com","negated":true},["is","private"]]',
      ['pair', 'group', 'note'],
    ],
    // conversations
    ['[["pm-with","cleo@example.com"]]', ['pair']],
    ['[["pm_with","cleo@example.com, ben@example.com"]]', ['pair']],
    ['[["dm","gus@example.com,CLEO@example.com"]]', ['group']],
    ['[["pm-with",[$cleo,$gus]]]', ['group']],
    ['[["pm-with",[$ben,$cleo,$gus]]]', ['group']],
    ['[["pm-with",$cleo]]', ['pair']],
    ['[["pm-with","ben@example.com"]]', ['note']],
    ['[["pm-with",[$ben]]]', ['note']],
    ['[["pm-with","gus@example.com"]]', []],
    ['[{"operator":"pm-with","operand":"cleo@example.com","negated":true}]', except('pair')],
    ['[["group-pm-with","gus@example.com"]]', ['group', 'other']],
    ['[["group_pm_with",$cleo]]', ['group']],
    ['[["dm-including","ada@example.com"]]', ['other']],
    ['[["group-pm-with","ben@example.com"]]', ['group', 'other']],
    // is
    ['[["is","private"]]', privates],
    ['[["is","dm"]]', privates],
    ['[["IS","Private"]]', privates],
    ['[{"operator":"is","operand":"private","negated":true}]', except(...privates)],
    ['[["is","starred"]]', ['deploy']],
    ['[["is","alerted"]]', ['lunch']],
    ['[["is","mentioned"]]', ['lunch', 'all']],
    ['[["is","unread"]]', except('own', 'bot', 'group', 'note')],
    ['[{"operator":"is","operand":"unread","negated":true}]', ['own', 'bot', 'group', 'note']],
    // has
    ['[["has","link"]]', ['deploy', 'image', 'file']],
    ['[["has","image"]]', ['image']],
    ['[["has","attachment"]]', ['image', 'file']],
    ['[{"operator":"has","operand":"attachment","negated":true},["has","link"]]', ['deploy']],
    // id, near
    ['[["id",#lunch]]', ['lunch']],
    ['[["id","#lunch"]]', ['lunch']],
    ['[["id",#hidden]]', []],
    ['[{"operator":"id","operand":#lunch,"negated":true}]', except('lunch')],
    ['[["near",#lunch]]', held],
    ['[{"operator":"near","operand":#lunch,"negated":true}]', held],
    ['[["near",#lunch],["is","private"]]', privates],
    // in
    ['[["in","all"]]', held],
    ['[{"operator":"in","operand":"all","negated":true}]', held],
    ['[["in","home"]]', except('muted', 'topical')],
    ['[{"operator":"in","operand":"home","negated":true}]', ['muted', 'topical']],
    // streams
    ['[["streams","public"]]', except(...privates)],
    ['[["channels","Public"]]', except(...privates)],
    ['[{"operator":"streams","operand":"public","negated":true}]', privates],
    // forms in a mix
    [
      '[["stream","general"],{"operator":"sender","operand":$cleo,"extra":1},["is","mentioned"]]',
      ['lunch', 'all'],
    ],
  ])('%s [narrow.finds]', async (narrow, expected) => {
    expect(await select(ben, narrow)).toEqual(expected);
  });
});

describe('what somebody finds who holds less', () => {
  test.each<[string, string, readonly string[]]>([
    // A stream that is open to cleo shows all its messages, but none by the flags that she never had.
    [cleo, '[["stream","engineering"]]', ['deploy']],
    [cleo, '[["stream","engineering"],["is","unread"]]', []],
    [cleo, '[["stream","engineering"],["is","private"]]', []],
    [cleo, '[["topic","deploy"]]', ['all']],
    [cleo, '[["streams","public"],["topic","deploy"]]', ['deploy', 'all']],
    [cleo, '[["streams","public"],["is","unread"]]', ['own', 'bot', 'topical', 'image', 'file']],
    [
      cleo,
      '[{"operator":"stream","operand":"engineering","negated":true},["topic","deploy"]]',
      ['all'],
    ],
    [cleo, '[["id",#deploy]]', []],
    [cleo, '[["stream","engineering"],["id",#deploy]]', ['deploy']],
    [cleo, '[["stream","engineering"],["id",#other]]', []],
    [cleo, '[["pm-with","ada@example.com,ben@example.com,gus@example.com"]]', []],
    [cleo, '[["group-pm-with","ada@example.com"]]', []],
    [gus, '[["stream","general"],["topic","deploy"]]', ['all']],
    [gus, '[["streams","public"],["topic","deploy"]]', ['all']],
  ])('%s: %s [narrow.finds-holds-less]', async (who, narrow, expected) => {
    expect(await select(who, narrow)).toEqual(expected);
  });
});

describe('what is refused', () => {
  test.each([
    ['an unknown operator', '[["colour","red"]]', 'colour'],
    ['a list of words', '[["search",["word"]]]', 'search'],
    ['an unknown operand of is', '[["is","green"]]', 'green'],
    ['an unknown operand of has', '[["has","fun"]]', 'fun'],
    ['an unknown operand of in', '[["in","attic"]]', 'attic'],
    ['an unknown operand of streams', '[["streams","private"]]', 'private'],
    ['an unknown stream', '[["stream","nowhere"]]', 'nowhere'],
    ['an unknown stream id', '[["stream",999]]', '999'],
    ['an unknown stream, negated', '[{"operator":"stream","operand":"x1","negated":true}]', 'x1'],
    ['an unknown sender', '[["sender","nobody@example.com"]]', 'nobody@example.com'],
    ['an unknown sender id', '[["sender",999]]', '999'],
    ['an unknown participant', '[["pm-with","ada@example.com,nobody@x"]]', 'nobody@x'],
    ['an unknown participant id', '[["pm-with",[1,999]]]', '999'],
    ['an unknown member of a group', '[["group-pm-with","nobody@x"]]', 'nobody@x'],
    ['an id that is no number', '[["id","abc"]]', 'id'],
    ['a list of streams', '[["stream",["general"]]]', 'stream'],
    ['an empty list of senders', '[["sender",[]]]', 'sender'],
    ['a number as a topic', '[["topic",1]]', 'topic'],
    ['a number as an operand of is', '[["is",1]]', 'is'],
  ])('%s is BAD_NARROW [narrow.bad-narrow]', async (_, narrow, named) => {
    const params = { anchor: 0, num_before: 0, num_after: 1, narrow };
    const refusal = await service.refuse(ben, page, params);
    expect(refusal.code).toBe('BAD_NARROW');
    expect(refusal['desc']).toContain(named);
  });

  test.each([
    ['an object', '{"operator":"stream","operand":"general"}'],
    ['a string', '"stream"'],
    ['a number', '1'],
    ['no JSON', '[['],
    ['a term of one', '[["stream"]]'],
    ['a term of three', '[["stream","general",false]]'],
    ['a term without an operand', '[{"operator":"stream"}]'],
    ['a term without an operator', '[{"operand":"general"}]'],
    ['a flat pair', '["stream","general"]'],
    ['a fraction', '[["id",1.5]]'],
    ['an object as operand', '[["stream",{"name":"general"}]]'],
    ['null as operand', '[["stream",null]]'],
    ['a negation that is no flag', '[{"operator":"in","operand":"all","negated":"yes"}]'],
    ['terms beyond reason', JSON.stringify(Array.from({ length: 101 }, () => ['in', 'all']))],
  ])('%s is another shape [narrow.another-shape]', async (_, narrow) => {
    const params = { anchor: 0, num_before: 0, num_after: 1, narrow };
    expect(await service.refuse(ben, page, params)).toMatchObject({
      code: 'REQUEST_VARIABLE_INVALID',
      var_name: 'narrow',
      bad_value: narrow.slice(0, 200),
    });
  });
});
