/** A command for each endpoint that can be copied into a shell. */
import type { JsonSchema, Operation } from './describe.ts';

/** Values for required parameters, by their name; they name what a development server has. */
const valuesByName: Readonly<Record<string, string>> = {
  alert_words: '["deploy"]',
  attachment_id: '1',
  bot_id: '6',
  content: 'Hello',
  email: 'ben@example.com',
  emoji_name: 'tada',
  event_types: '["message"]',
  flag: 'starred',
  full_name: 'Dora Dev',
  integration: 'helloworld',
  message_id: '1',
  messages: '[1]',
  msg_ids: '[1]',
  name: 'general',
  num_after: '0',
  num_before: '10',
  op: 'add',
  password: 'correct horse battery',
  pattern: '#(?P<id>[0-9]+)',
  pointer: '1',
  queue_id: '1:2',
  short_name: 'dora',
  status: 'active',
  storage: '{"count":"1"}',
  stream: 'general',
  stream_id: '1',
  stream_name: 'general',
  subscriptions: '["general"]',
  to: 'general',
  topic: 'greetings',
  topic_name: 'greetings',
  type: 'stream',
  user: 'ben@example.com',
  url_format_string: 'https://example.com/issues/%(id)s',
  user_id: '2',
  username: 'ben@example.com',
  word: 'deploy',
};

/** What differs for one endpoint, or shows it better. */
const valuesByEndpoint: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'GET /events': { queue_id: '$QUEUE_ID', last_event_id: '-1', dont_block: 'true' },
  'POST /events/acknowledge': { queue_id: '$QUEUE_ID', last_event_id: '-1' },
  'DELETE /events': { queue_id: '$QUEUE_ID' },
  'GET /messages': { anchor: 'newest', narrow: '[{"operator":"stream","operand":"general"}]' },
  'POST /messages': { topic: 'greetings' },
  'POST /register': { event_types: '["message"]' },
  'DELETE /default_streams': { stream_id: '2' },
  'PATCH /bots/:bot_id': { full_name: 'Echo' },
  'PATCH /realm': { description: 'All of us' },
  'PATCH /settings': { full_name: 'Ben Brown' },
  'PATCH /settings/display': { timezone: 'Europe/Berlin' },
  'PATCH /settings/notifications': { enable_sounds: 'false' },
  'PATCH /users/me/subscriptions': { add: '[{"name":"engineering"}]' },
  'POST /default_streams': { stream_id: '2' },
  'POST /dev_fetch_api_key': { username: 'ben@example.com' },
  'POST /users/me/status': { status_text: 'At lunch' },
  'POST /typing': { op: 'start', to: '[2]' },
  'POST /users': { email: 'dora@example.com' },
  'POST /users/me/subscriptions': {
    subscriptions: '[{"name":"announcements","description":"News"}]',
  },
  'POST /office/recovered': {
    messages:
      '[{"id":42,"sender_id":2,"timestamp":1795000000,"stream_id":1,"topic":"greetings","content":"Hello","proof":"0.kept-with-it"}]',
  },
  'POST /office/recovered/lacking': { known: '[[42,0]]' },
  'PATCH /messages/:message_id': { content: 'Hello again' },
  'PATCH /streams/:stream_id': { description: 'For everybody' },
  'PATCH /users/:user_id': { full_name: 'Ben Brown' },
  'POST /messages/:message_id/reactions': { emoji_name: 'tada' },
  'DELETE /messages/:message_id/reactions': { emoji_name: 'tada' },
  'PATCH /users/me/subscriptions/muted_topics': { stream: 'general' },
  'POST /users/me/subscriptions/properties': {
    subscription_data: '[{"stream_id":1,"property":"color","value":"#76ce90"}]',
  },
};

/** A value of the right form where no better one is known. */
function anyValue({ type, enum: choices, anyOf }: JsonSchema): string {
  if (Array.isArray(choices)) return String(choices[0]);
  if (Array.isArray(anyOf)) return anyValue(anyOf[0] as JsonSchema);
  const values: Readonly<Record<string, string>> = {
    integer: '1',
    boolean: 'true',
    array: '[]',
    object: '{}',
  };
  return (typeof type === 'string' ? values[type] : undefined) ?? 'text';
}

interface Argument {
  readonly name: string;
  readonly value: string;
  readonly isInPath: boolean;
}

function argumentsOf({ endpoint, parameters }: Operation): readonly Argument[] {
  const own = valuesByEndpoint[`${endpoint.method} ${endpoint.path}`] ?? {};
  return parameters.flatMap(({ name, place, isRequired, schema }) => {
    const isInPath = place === 'path';
    const value = own[name] ?? (isRequired || isInPath ? valuesByName[name] : undefined);
    if (value !== undefined) return [{ name, value, isInPath }];
    return isRequired ? [{ name, value: anyValue(schema), isInPath }] : [];
  });
}

/** Single quotes keep everything as it is; a variable of the shell needs double ones. */
const quote = (text: string): string =>
  text.includes('$') ? `"${text}"` : `'${text.replaceAll("'", `'\\''`)}'`;

const WEBHOOK_PAYLOAD =
  '{"featured_title":"Owls","featured_url":"https://en.wikipedia.org/wiki/Owl"}';

/**
 * The command, over several lines. It takes `HEARTH_EMAIL` and `HEARTH_KEY` from the environment.
 * @param origin  scheme, host and port of the server
 */
export function exampleOf(operation: Operation, origin: string): string {
  const { endpoint } = operation;
  const values = argumentsOf(operation);
  const path = endpoint.path.replace(/:([a-z_]+)/g, (_, name: string) => {
    const found = values.find((each) => each.isInPath && each.name === name);
    return encodeURIComponent(found?.value ?? '1');
  });
  const url = `${origin}/api/v1${path}`;
  if (endpoint.auth === 'webhook') {
    return [
      `curl -sS ${quote(`${url}?api_key=$HEARTH_KEY&stream=general`)}`,
      `-H 'Content-Type: application/json'`,
      `-d ${quote(WEBHOOK_PAYLOAD)}`,
    ].join(' \\\n  ');
  }
  if (endpoint.takesPiece === true) {
    const query = values.flatMap(({ isInPath, name, value }) =>
      isInPath ? [] : [`${name}=${encodeURIComponent(value)}`],
    );
    return [
      `curl -sS -X ${endpoint.method} ${quote(`${url}?${query.join('&')}`)}`,
      '-u "$HEARTH_EMAIL:$HEARTH_KEY"',
      '--data-binary @picture.png',
    ].join(' \\\n  ');
  }
  const isGet = endpoint.method === 'GET';
  const fields = values.filter(({ isInPath }) => !isInPath);
  const start = isGet && fields.length > 0 ? 'curl -sSG' : 'curl -sS';
  return [
    isGet ? `${start} ${quote(url)}` : `${start} -X ${endpoint.method} ${quote(url)}`,
    ...(endpoint.auth === 'none' ? [] : ['-u "$HEARTH_EMAIL:$HEARTH_KEY"']),
    ...(endpoint.takesFiles !== undefined ? ['-F file=@picture.png'] : []),
    ...fields.map(({ name, value }) =>
      endpoint.takesFiles !== undefined
        ? `-F ${quote(`${name}=${value}`)}`
        : `--data-urlencode ${quote(`${name}=${value}`)}`,
    ),
  ].join(' \\\n  ');
}
