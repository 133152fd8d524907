/** A session of ada over a model service, and everything that it told. */
import { NotificationLog } from '#client/notifications/notification-log.ts';
import type { AccountStorage, Http, Notice } from '#client/ports.ts';
import { Session } from '#client/session/session.ts';
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import type { Account, Connection, ShownMessage } from '#shared/bridge/models/client.ts';
import { defaultPreferences } from '#shared/bridge/models/preference-defaults.ts';
import { ada } from '../service/wire-builders.ts';
import { memoryStorage } from './client.ts';
import { FakeClock, settle } from '../fake-clock.ts';
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

export interface SessionReports {
  readonly messages: ShownMessage[];
  readonly states: Partial<ClientState>[];
  readonly connections: Connection[];
  /** Those that are up or were, in the order in which they were shown. */
  readonly notices: Notice[];
  /** What came in which order: message ids and resets. */
  readonly order: (number | 'reset')[];
}

export interface SessionUnderTest {
  readonly service: ModelService;
  readonly clock: FakeClock;
  readonly session: Session;
  readonly told: SessionReports;
  readonly ended: Promise<void>;
  readonly window: { isFocused: boolean; hereSinceMs: number | null };
}

interface World {
  readonly http?: Http;
  readonly storage?: AccountStorage;
}

export function createSession(service = new ModelService(), world: World = {}) {
  const clock = new FakeClock();
  const told: SessionReports = {
    messages: [],
    states: [],
    connections: [],
    notices: [],
    order: [],
  };
  const window: SessionUnderTest['window'] = { isFocused: false, hereSinceMs: 0 };
  const session = new Session(
    {
      account: accountAt(service.origin),
      serverAddress: { address: service.origin, others: () => [] },
      key: 'key',
      http: world.http ?? service.http,
      fetchFile: async () => {
        throw new Error('the model has no files');
      },
      clock,
      storage: world.storage ?? memoryStorage(),
      choices: () => defaultPreferences,
      notificationLog: new NotificationLog(
        { load: async () => null, save: async () => undefined },
        clock,
      ),
      attention: {
        isWindowFocused: () => window.isFocused,
        activeSinceMs: () => window.hereSinceMs,
        canNotify: () => true,
        notify: (notice) => told.notices.push(notice),
        withdraw: () => undefined,
        playSound: () => undefined,
        setBadge: () => undefined,
      },
    },
    {
      arrived: (messages) => {
        told.messages.push(...messages);
        told.order.push(...messages.map(({ id }) => id));
      },
      changed: () => undefined,
      removed: () => undefined,
      rekeyed: () => undefined,
      renewed: () => undefined,
      nextKeyAnnounced: () => undefined,
      nextKeyInUse: () => undefined,
      state: (changes) => told.states.push(changes),
      connection: (connection) => told.connections.push(connection),
      moved: () => undefined,
      relocated: () => undefined,
      reachable: () => undefined,
      cache: () => undefined,
      uploadProgress: () => undefined,
      saveProgress: () => undefined,
      reset: () => told.order.push('reset'),
    },
  );
  return { service, clock, session, told, window };
}

/** Started, and as far as it gets by itself. */
export async function startSession(
  service = new ModelService(),
  world: World = {},
): Promise<SessionUnderTest> {
  const created = createSession(service, world);
  const ended = created.session.run();
  await settle();
  return { ...created, ended };
}
