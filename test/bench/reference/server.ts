/**
 * The send path and nothing else: a form, a key check, a group commit, and the waiting polls. What the service does
 * beyond it (permissions, rendering, filters) is what its figures are measured for.
 * Arguments: the data directory, which holds the accounts as accounts.json.
 */
import { timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Account } from '../seed.ts';
import { databaseFile } from '../seed.ts';
import { openReferenceLog, renderedOf, type NewRow } from './log.ts';
import { createReferencePolls, type Told } from './polls.ts';

interface Sender {
  readonly id: number;
  readonly email: string;
  readonly key: Buffer;
}

interface Sent {
  readonly row: NewRow;
  readonly sender: Sender;
  readonly topic: string;
  readonly answer: (body: Buffer) => void;
}

const [dataDir = '.'] = process.argv.slice(2);
const accounts = JSON.parse(
  readFileSync(join(dataDir, 'accounts.json'), 'utf8'),
) as readonly Account[];
const senders = new Map<string, Sender>(
  accounts.map(({ email, key }, index) => [email, { id: index + 1, email, key: Buffer.from(key) }]),
);
const log = openReferenceLog(databaseFile(dataDir));
const polls = createReferencePolls();
let waiting: Sent[] = [];

function authenticate(request: IncomingMessage): Sender | undefined {
  const encoded = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const [email = '', text = ''] = Buffer.from(encoded, 'base64').toString().split(':');
  const sender = senders.get(email);
  const key = Buffer.from(text);
  const isRight = sender?.key.length === key.length && timingSafeEqual(sender.key, key);
  return isRight ? sender : undefined;
}

const eventOf = (id: number, { row, sender, topic }: Sent): Told => ({
  id,
  json: `{"id":${String(id)},"type":"message","message":${JSON.stringify({
    id,
    type: 'stream',
    stream_id: 1,
    display_recipient: 'stream 0',
    subject: topic,
    subject_links: [],
    recipient_id: 1,
    content: renderedOf(row.content),
    content_type: 'text/html',
    timestamp: row.sentAt,
    client: 'bench',
    is_me_message: false,
    sender_id: sender.id,
    sender_email: sender.email,
    sender_full_name: sender.email,
    sender_short_name: sender.email,
    sender_realm_str: '',
    avatar_url: null,
    submessages: [],
    reactions: [],
  })},"flags":[]}`,
});

function flush(): void {
  const batch = waiting;
  waiting = [];
  const ids = log.append(batch.map(({ row }) => row));
  const told = batch.map((sent, index) => eventOf(ids[index] ?? 0, sent));
  for (const [index, { answer }] of batch.entries()) {
    answer(Buffer.from(`{"result":"success","msg":"","id":${String(ids[index])}}`));
  }
  polls.tell(told);
}

function send(form: URLSearchParams, sender: Sender, answer: Sent['answer']): void {
  const topic = form.get('topic') ?? '';
  const content = form.get('content') ?? '';
  const topicId = Number(topic.slice(topic.indexOf(' ')));
  const sentAt = Math.floor(Date.now() / 1000);
  if (waiting.length === 0) setImmediate(flush);
  waiting.push({ row: { senderId: sender.id, topicId, content, sentAt }, sender, topic, answer });
}

function withForm(request: IncomingMessage, use: (form: URLSearchParams) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => use(new URLSearchParams(Buffer.concat(chunks).toString())));
}

function answerTo(response: ServerResponse): (body: Buffer) => void {
  return (body) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  };
}

function stream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  // It says at once that it is there.
  response.write(`{"id":${String(polls.lastId())},"type":"heartbeat"}\n`);
  response.once(
    'close',
    polls.listen((lines) => response.write(lines)),
  );
}

const server = createServer((request, response) => {
  const answer = answerTo(response);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const sender = authenticate(request);
  if (sender === undefined) {
    response.writeHead(401, { 'content-length': 0 }).end();
  } else if (pathname === '/api/v1/messages') {
    withForm(request, (form) => send(form, sender, answer));
  } else if (pathname === '/api/v1/events/stream') {
    stream(response);
  } else if (pathname === '/api/v1/events') {
    polls.wait(Number(searchParams.get('last_event_id')), answer);
  } else {
    const registered = JSON.stringify({ queue_id: '1', last_event_id: polls.lastId() });
    withForm(request, () => answer(Buffer.from(registered)));
  }
});

// Longer than any pause between two measurements on the same connection.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  console.log(`serving http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
});
process.on('SIGTERM', () => {
  log.close();
  process.exit(0);
});
