/** An example of what each endpoint answers, made of the schema of its answer. */
import { MessageEvent } from '#shared/api/events.ts';
import { lazy } from '#shared/text/lazy.ts';
import { type JsonSchema, jsonSchemaOf, type Operation } from './describe.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Values by the names of fields: those of the examples of requests, where both have them. */
const byName: Readonly<Record<string, string | number | boolean>> = {
  about: 'I work in the shop downstairs',
  address: '192.0.2.7',
  addresses: 'https://192.168.1.20:7443',
  alert_words: 'deploy',
  anchor: 42,
  answer: '{"content":"Done"}',
  api_key: 'h3Qk0cN2vJq8sWz5yTb1rXe7uPa4mLd6',
  avatar_url: '/user_avatars/1/5f3c9a/picture.png',
  base_url: 'https://hearth.example.com',
  body: '{"ref":"refs/heads/main"}',
  bot_email: 'echo-bot@example.com',
  bot_owner: 'ben@example.com',
  chat_version: '1.0.0',
  client: 'website',
  client_id: 'a1b2c3',
  color: '#76ce90',
  content: '<p>Hello</p>',
  content_type: 'text/html',
  create_time: 1795000000,
  created: 1795000000,
  created_at: 1795000000,
  csv: 'id,time,type\n1,1795000000,user_created\n',
  date_created: 1795000000,
  date_joined: '2026-11-02T08:00:00+00:00',
  default_language: 'en',
  default_sending_stream: 'general',
  default_events_register_stream: 'general',
  default_code_block_language: 'python',
  display_icon: '/icon.png',
  signature: '9f2c',
  owner: 'ben@example.com',
  delivery_email: 'ben@example.com',
  description: 'For everybody',
  details: 'role: 400 to 200',
  device: 'Laptop',
  display_name: 'Octocat',
  display_recipient: 'general',
  email: 'ben@example.com',
  email_address: '',
  emoji_code: '1f389',
  emoji_name: 'tada',
  emojiset: 'google-blob',
  event: 'push',
  events: 'push',
  expires: 1795600000,
  field_data: '',
  filters: 'branches=main',
  flag: 'starred',
  flags: 'read',
  found_anchor: true,
  found_newest: true,
  full_name: 'Ben Brown',
  headers: 'x-github-event: push',
  hint: 'As on your card',
  icon_url: '/icon.png',
  id: 42,
  integration: 'github',
  invite_link: 'https://hearth.example.com/join/7f3a',
  inviter_full_name: 'Ada Admin',
  is_active: true,
  last_event_id: -1,
  link: 'https://hearth.example.com/join/7f3a',
  login_url: '/login',
  match_content: '<p><span class="highlight">Hello</span></p>',
  match_subject: 'greetings',
  max_id: 42,
  max_message_id: 42,
  message: 'The disk is nearly full',
  message_id: 42,
  messages: 42,
  msg_type: 'widget',
  muted_topics: 'greetings',
  name: 'general',
  not_removed: 'general',
  notification_name: 'enable_sounds',
  notification_sound: 'zulip',
  number: '1',
  only_events: 'push',
  op: 'add',
  parent: '0',
  path_id: '1/8d/Zk3v9w/picture.png',
  pattern: '#(?P<id>[0-9]+)',
  pointer: 42,
  prev_content: 'Hallo',
  prev_rendered_content: '<p>Hallo</p>',
  prev_subject: 'greetings',
  prev_topic: 'greetings',
  property: 'description',
  query: 'stream=general',
  queue_id: '1:2',
  raw_content: 'Hello',
  reaction_type: 'unicode_emoji',
  realm_filters: '#(?P<id>[0-9]+)',
  realm_name: 'Example',
  realm_uri: 'https://hearth.example.com',
  reason: '',
  recipient_id: 7,
  ref: 'refs/heads/main',
  removed: 'general',
  rendered: '<p>Hello</p>',
  rendered_content: '<p>Hello</p>',
  rendered_description: '<p>For everybody</p>',
  role: 400,
  secret: 'kq7vX2',
  sender: 'ben@example.com',
  sender_email: 'ben@example.com',
  sender_full_name: 'Ben Brown',
  sender_id: 2,
  sender_realm_str: '',
  sender_short_name: 'ben',
  service_payload_url: 'https://bot.example.com/hook',
  setting: 'Europe/Berlin',
  setting_name: 'timezone',
  short_name: 'ben',
  signup_url: '/register',
  size: 20480,
  source_url: '/user_avatars/1/emoji/tada.png',
  status_text: 'At lunch',
  steps: 'Add the address as a webhook of the repository.',
  stream: 'general',
  stream_name: 'general',
  subject: 'greetings',
  subject_links: 'https://example.com/issues/7',
  subscribers: 'ben@example.com',
  subscriptions: 'general',
  time: 1795000000,
  timestamp: 1795000000,
  timezone: 'Europe/Berlin',
  title: 'GitHub',
  token: 'mX4tq9',
  topic: 'greetings',
  topic_name: 'greetings',
  trigger: 'mention',
  uri: '/user_uploads/1/8d/Zk3v9w/picture.png',
  url: 'https://example.com',
  url_format: 'https://example.com/issues/%(id)s',
  url_format_string: 'https://example.com/issues/%(id)s',
  user: 'ben@example.com',
  user_email: 'ben@example.com',
  user_full_name: 'Ben Brown',
  user_id: 2,
  username: 'ben@example.com',
  value: 'For everybody',
  version: '1',
  zulip_version: '2.1.0',
};

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const byType: Readonly<Record<string, Json>> = {
  string: 'text',
  integer: 1,
  number: 1,
  boolean: false,
  null: null,
};

const typeOf = (value: unknown): string => (typeof value === 'number' ? 'integer' : typeof value);

/** Of several types the first, unless it is nothing. */
const firstType = (type: unknown): unknown =>
  Array.isArray(type) ? (type.find((each) => each !== 'null') as unknown) : type;

function scalar(name: string, given: unknown): Json {
  const type = firstType(given);
  if (typeof type !== 'string') return {};
  const known = Object.hasOwn(byName, name) ? byName[name] : undefined;
  const fits = known !== undefined && typeOf(known) === type.replace('number', 'integer');
  return fits ? known : (byType[type] ?? {});
}

function objectOf(name: string, schema: JsonSchema): Json {
  const { properties, required, additionalProperties: values, propertyNames: keys } = schema;
  if (isSchema(properties)) {
    const shown = listed(required);
    const entries = Object.entries(properties).filter(
      ([key, value]) =>
        isSchema(value) && (shown.length === 0 || shown.includes(key) || key === 'stream_id'),
    );
    return Object.fromEntries(
      entries.map(([key, value]) => [key, valueOf(key, value as JsonSchema)]),
    );
  }
  if (!isSchema(values) || Object.keys(values).length === 0) return {};
  const key = isSchema(keys) && Array.isArray(keys['enum']) ? String(keys['enum'][0]) : '1';
  return { [key]: valueOf(name, values) };
}

function listOf(name: string, { prefixItems, items }: JsonSchema): Json {
  const pair = listed(prefixItems).filter(isSchema);
  if (pair.length > 0) return pair.map((each) => valueOf(name, each));
  return isSchema(items) ? [valueOf(name, items)] : [];
}

/** The first of several, unless it is nothing. */
function choiceOf({ anyOf, oneOf }: JsonSchema): JsonSchema | undefined {
  const choices = [...listed(anyOf), ...listed(oneOf)].filter(isSchema);
  return choices.find((each) => each['type'] !== 'null') ?? choices[0];
}

function valueOf(name: string, schema: JsonSchema): Json {
  if (schema['$ref'] !== undefined) return exampleEvent().event;
  if (schema['const'] !== undefined) return schema['const'] as Json;
  if (Array.isArray(schema['enum'])) {
    const known = byName[name];
    return (schema['enum'].includes(known) ? known : schema['enum'][0]) as Json;
  }
  const choice = choiceOf(schema);
  if (choice !== undefined) return valueOf(name, choice);
  if (schema['type'] === 'array') return listOf(name, schema);
  return schema['type'] === 'object' ? objectOf(name, schema) : scalar(name, schema['type']);
}

/** What stands for any event. */
const exampleEvent = lazy(() => ({ event: valueOf('event', jsonSchemaOf(MessageEvent)) }));

const laidOut = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** A value that the schema accepts, over several lines. */
export const exampleOfSchema = (schema: JsonSchema): string => laidOut(valueOf('', schema));

/** The whole body of the answer. */
export function answerBody({ result }: Operation): Readonly<Record<string, unknown>> {
  const { properties } = result;
  const isEmpty = !isSchema(properties) || Object.keys(properties).length === 0;
  const own = isEmpty ? {} : (valueOf('', result) as Readonly<Record<string, unknown>>);
  return { result: 'success', msg: '', ...own };
}

export const answerTo = (operation: Operation): string => laidOut(answerBody(operation));
