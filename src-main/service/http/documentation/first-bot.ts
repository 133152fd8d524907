/** A bot that answers whoever writes to it, as programs that can be copied and started. */

const python = `import base64, json, os, urllib.error, urllib.parse, urllib.request

API = os.environ['HEARTH_SITE'] + '/api/v1'
ACCOUNT = f"{os.environ['HEARTH_EMAIL']}:{os.environ['HEARTH_KEY']}"
AUTHORIZATION = 'Basic ' + base64.b64encode(ACCOUNT.encode()).decode()


def call(method, path, **parameters):
    encoded = urllib.parse.urlencode(parameters)
    address, body = API + path, encoded.encode()
    if method == 'GET':
        address, body = f'{address}?{encoded}', None
    request = urllib.request.Request(address, body, {'Authorization': AUTHORIZATION}, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def answer(message, flags):
    if message['type'] == 'private':
        people = [person['id'] for person in message['display_recipient']]
        place = {'type': 'private', 'to': json.dumps(people)}
    elif 'mentioned' in flags:
        place = {'type': 'stream', 'to': message['stream_id'], 'topic': message['subject']}
    else:
        return
    call('POST', '/messages', content='You said: ' + message['content'], **place)


def listen(me):
    queue = call('POST', '/register', event_types='["message"]')
    last = queue['last_event_id']
    print('listening', flush=True)
    while True:
        waited = call('GET', '/events', queue_id=queue['queue_id'], last_event_id=last)
        for event in waited['events']:
            last = event['id']
            if event['type'] == 'message' and event['message']['sender_id'] != me:
                answer(event['message'], event['flags'])


me = call('GET', '/users/me')['user_id']
while True:
    try:
        listen(me)
    except urllib.error.HTTPError as error:
        # The queue is gone after ten minutes without a fetch: register a new one.
        if json.load(error).get('code') != 'BAD_EVENT_QUEUE_ID':
            raise
`;

const javascript = `const { HEARTH_SITE, HEARTH_EMAIL, HEARTH_KEY } = process.env;
const authorization = 'Basic ' + Buffer.from(HEARTH_EMAIL + ':' + HEARTH_KEY).toString('base64');

async function call(method, path, parameters = {}) {
  const form = new URLSearchParams(parameters);
  const isGet = method === 'GET';
  const response = await fetch(HEARTH_SITE + '/api/v1' + path + (isGet ? '?' + form : ''), {
    method,
    headers: { authorization },
    body: isGet ? undefined : form,
  });
  const answer = await response.json();
  if (answer.result === 'error') throw Object.assign(new Error(answer.msg), { code: answer.code });
  return answer;
}

async function answer({ type, display_recipient, stream_id, subject, content }, flags) {
  if (type === 'stream' && !flags.includes('mentioned')) return;
  const place =
    type === 'private'
      ? { type, to: JSON.stringify(display_recipient.map(({ id }) => id)) }
      : { type, to: stream_id, topic: subject };
  await call('POST', '/messages', { ...place, content: 'You said: ' + content });
}

async function listen(me) {
  const { queue_id, last_event_id } = await call('POST', '/register', {
    event_types: '["message"]',
  });
  console.log('listening');
  for (let last = last_event_id; ; ) {
    const { events } = await call('GET', '/events', { queue_id, last_event_id: last });
    for (const event of events) {
      last = event.id;
      const isNews = event.type === 'message' && event.message.sender_id !== me;
      if (isNews) await answer(event.message, event.flags);
    }
  }
}

const { user_id: me } = await call('GET', '/users/me');
for (;;) {
  try {
    await listen(me);
  } catch (error) {
    // The queue is gone after ten minutes without a fetch: register a new one.
    if (error.code !== 'BAD_EVENT_QUEUE_ID') throw error;
  }
}
`;

const curl = `call() { curl -sSN --fail-with-body -u "$HEARTH_EMAIL:$HEARTH_KEY" "$HEARTH_SITE/api/v1$1" "\${@:2}"; }
number() { grep -o "\\"$1\\":[0-9]*" | head -n 1 | cut -d : -f 2; }

me=$(call /users/me | number user_id)
queue=$(call /register -d 'event_types=["message"]' | grep -o '"queue_id":"[^"]*"' | cut -d '"' -f 4)
echo listening

call /events/stream -G -d "queue_id=$queue" -d last_event_id=-1 | while read -r event; do
  sender=$(number sender_id <<< "$event")
  case $event in
    *'"type":"private"'*)
      if [ "$sender" != "$me" ]; then
        call /messages -d type=private -d "to=[$sender]" -d 'content=I have read it.'
      fi ;;
  esac
done
`;

export interface Program {
  readonly language: string;
  readonly file: string;
  readonly command: string;
  readonly needs: string;
  readonly source: string;
}

export const firstBots: readonly Program[] = [
  {
    language: 'Python',
    file: 'bot.py',
    command: 'python3 bot.py',
    needs: 'Python 3.8 or newer, and no package',
    source: python,
  },
  {
    language: 'JavaScript',
    file: 'bot.mjs',
    command: 'node bot.mjs',
    needs: 'Node 18 or newer, and no package',
    source: javascript,
  },
  {
    language: 'curl',
    file: 'bot.sh',
    command: 'bash bot.sh',
    needs: 'bash and curl; it answers private messages alone',
    source: curl,
  },
];
