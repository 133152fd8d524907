/** Somebody else of the organization, who uses another program and reaches the service over HTTP. */
import { administrator, keyInKeychain, type Profile } from './desktop-app.ts';
import { call, chooseOwnPassword, type Credentials } from '../service/service.ts';

export interface Colleague extends Credentials {
  readonly userId: number;
  readonly fullName: string;
  /** Sends a private message to the person at the window. */
  readonly write: (content: string) => Promise<void>;
  /** The next message that the person at the window sends. */
  readonly nextMessage: () => Promise<string>;
  /** Settles when the person at the window has sent a message with this text. */
  readonly hears: (text: string) => Promise<void>;
}

export const administratorOf = async (profile: Profile): Promise<Credentials> => ({
  email: administrator.email,
  key: await keyInKeychain(profile),
});

/** The password of every account that `addColleague` creates. */
export const colleaguePassword = 'another long password';

/** Creates an account as the administrator would, and signs in to it. */
export async function addColleague(profile: Profile, fullName: string): Promise<Colleague> {
  const { origin } = profile;
  const email = `${fullName.split(' ')[0]!.toLowerCase()}@example.com`;
  const given = 'a first password';
  const created = await answerOf(origin, await administratorOf(profile), 'POST', '/users', {
    email,
    password: given,
    full_name: fullName,
  });
  const key = await chooseOwnPassword(origin, { email, given, password: colleaguePassword });
  const credentials = { email, key };
  const queue = await answerOf(origin, credentials, 'POST', '/register', {
    event_types: ['message'],
  });
  let lastEventId = Number(queue['last_event_id']);
  const nextMessage = async (): Promise<string> => {
    for (;;) {
      const { events } = await answerOf(origin, credentials, 'GET', '/events', {
        queue_id: String(queue['queue_id']),
        last_event_id: lastEventId,
      });
      for (const event of events as readonly MessageEvent[]) {
        lastEventId = event.id;
        if (event.message?.sender_email === administrator.email) return event.message.content;
      }
    }
  };
  return {
    ...credentials,
    fullName,
    userId: Number(created['user_id']),
    write: async (content) => {
      const message = { type: 'private', to: [administrator.email], content };
      await answerOf(origin, credentials, 'POST', '/messages', message);
    },
    nextMessage,
    hears: async (text) => {
      while (!(await nextMessage()).includes(text));
    },
  };
}

interface MessageEvent {
  readonly id: number;
  readonly message?: { readonly sender_email: string; readonly content: string };
}

async function answerOf(...request: Parameters<typeof call>): Promise<Record<string, unknown>> {
  const { status, body } = await call(...request);
  if (status !== 200) throw new Error(`${request[2]} ${request[3]}: ${JSON.stringify(body)}`);
  return body;
}
