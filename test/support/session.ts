/** A session of ada over a model service, and everything that it told. */
import { Session } from '../../src-main/client/session.ts';
import type { Http, Notice } from '../../src-main/client/ports.ts';
import type {
  Account,
  Connection,
  RealmState,
  ShownMessage,
} from '../../src-main/contract/models/client.ts';
import { ada } from './builders.ts';
import { FakeClock, settle } from './fake-clock.ts';
import { ModelService } from './model-service.ts';

export const accountAt = (address: string): Account => ({
  id: `${ada.id}@${address}`,
  address,
  realmName: 'Model',
  email: ada.email,
  fullName: ada.name,
  userId: ada.id,
  isHosted: false,
});

export interface Told {
  readonly messages: ShownMessage[];
  readonly realms: RealmState[];
  readonly connections: Connection[];
  readonly notices: Notice[];
  /** What came in which order: message ids and resets. */
  readonly order: (number | 'reset')[];
}

export interface SessionUnderTest {
  readonly service: ModelService;
  readonly clock: FakeClock;
  readonly session: Session;
  readonly told: Told;
  readonly ended: Promise<void>;
  readonly window: { isFocused: boolean };
}

export function createSession(service = new ModelService(), http: Http = service.http) {
  const clock = new FakeClock();
  const told: Told = { messages: [], realms: [], connections: [], notices: [], order: [] };
  const window = { isFocused: false };
  const session = new Session({
    account: accountAt(service.origin),
    key: 'key',
    isResumed: false,
    http,
    clock,
    attention: {
      isWindowFocused: () => window.isFocused,
      notify: (notice) => told.notices.push(notice),
    },
    listener: {
      message: (message) => {
        told.messages.push(message);
        told.order.push(message.id);
      },
      realm: (realm) => told.realms.push(realm),
      connection: (connection) => told.connections.push(connection),
      reset: () => told.order.push('reset'),
    },
  });
  return { service, clock, session, told, window };
}

/** Started, and as far as it gets by itself. */
export async function startSession(service = new ModelService()): Promise<SessionUnderTest> {
  const created = createSession(service);
  const ended = created.session.run();
  await settle();
  return { ...created, ended };
}
