/** Where accounts are signed in, and new keys in place of those that may have been stolen (architecture 6). */
import { nextGeneration } from '../rules/key-generations.ts';
import { CLIENT_CHARACTERS } from '#shared/api/bounds.ts';
import type { ResultOf } from '#shared/api/endpoint.ts';
import type { api } from '#shared/api/endpoints/index.ts';
import { variableMissing } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import { withoutInvisible } from '#shared/text/invisible-characters.ts';
import type { Caller, CallerActionSource, ActionSource } from '#service/core/ports/handlers.ts';
import type { Device } from '#shared/api/models/device.ts';
import type {
  AccountColumns,
  AccountRow,
  DeviceRow,
  Operation,
  Store,
  Transaction,
  UsedDeviceRow,
} from '#service/db/port.ts';
import { change, untilCurrent } from '#service/core/change.ts';
import { changeAccount, getFacts } from './account-changes.ts';
import { keyRenewed } from './account-events.ts';
import { dayOf } from './key-uses.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { auditEntryMaker } from '#service/features/organization/rules/audit.ts';
import { stillSignedIn, type UserOperations } from './users.ts';

export interface DeviceSignIn {
  readonly username: string;
  readonly password: string | undefined;
  readonly name: string | undefined;
  /** The program. */
  readonly client: string;
}

export interface DeviceOperations {
  /** @throws AUTHENTICATION_FAILED, BAD_REQUEST, REQUEST_VARIABLE_MISSING (API decisions 10.3) */
  readonly signIn: (
    source: ActionSource,
    request: DeviceSignIn,
  ) => Promise<ResultOf<typeof api.devices.signIn>>;
  /** @throws BAD_REQUEST when there is no such account */
  readonly listDevices: (
    caller: Caller,
    userId: number,
  ) => Promise<ResultOf<typeof api.devices.list>>;
  /** Everybody's, those that are deactivated included. */
  readonly listLastUses: () => Promise<ResultOf<typeof api.devices.lastUses>>;
  /** @throws BAD_REQUEST when the account has no such device */
  readonly endDevice: (
    source: CallerActionSource,
    userId: number,
    deviceId: number,
  ) => Promise<void>;
  /** @throws BAD_REQUEST when the caller came with the account's one key */
  readonly endCurrentDevice: (source: CallerActionSource) => Promise<void>;
  /** Ends every key of an account. @throws BAD_REQUEST when there is none */
  readonly renewKeys: (source: CallerActionSource, userId: number) => Promise<void>;
}

const MAX_DEVICES = 50;
const MAX_NAME = 60;
/** One line, as long as there is room for. */
const cut = (text: string, length: number): string =>
  Array.from(
    withoutInvisible(text)
      .replaceAll(/\p{Z}+/gu, ' ')
      .trim(),
  )
    .slice(0, length)
    .join('');

interface RenewedKeys {
  /** What is still to be written of the account. */
  readonly columns: Required<Pick<AccountColumns, 'key_generation' | 'key_hash'>>;
  /** The key of the caller, who goes on with it. */
  readonly key: string;
}

/**
 * Step: new keys for an account and the device that goes on. Whoever else has a key of the account, or of a device of
 * it, is refused from then on.
 * @param deviceId  the caller's device, undefined with the account's one key; null where no caller goes on
 */
export function* renewAll(
  tx: Transaction,
  { credentials: { apiKeys } }: Pick<DomainContext, 'credentials'>,
  user: AccountRow,
  deviceId: number | undefined | null,
): Operation<RenewedKeys> {
  const generation = nextGeneration(user);
  const accountKey = apiKeys.derive(user.id, generation);
  const columns = { key_generation: generation, key_hash: apiKeys.hash(accountKey) };
  const kept = typeof deviceId === 'number' ? yield* tx.findDevice(deviceId) : undefined;
  yield* tx.removeDevices(user.id, kept?.id ?? null);
  if (kept === undefined) return { columns, key: accountKey };
  const deviceGeneration = nextGeneration(kept);
  const key = apiKeys.deriveDevice(kept.id, deviceGeneration);
  yield* tx.setDeviceKey(kept.id, deviceGeneration, apiKeys.hash(key));
  return { columns, key };
}

const shapeOf = (row: UsedDeviceRow, caller: Caller): Device => ({
  id: row.id,
  name: row.name,
  client: row.client,
  signed_in: dayOf(row.signed_in_at),
  last_used: row.used_on,
  address: row.address,
  is_current: row.id === caller.deviceId,
});

async function lastUses(store: Store): Promise<ResultOf<typeof api.devices.lastUses>> {
  const rows = await store.listLastUses();
  return {
    last_uses: rows.map((row) => ({ user_id: row.account_id, last_used: dayOf(row.last_used) })),
  };
}

type Checks = Pick<UserOperations, 'checkPassword' | 'checkDevelopmentAccount'>;

function signingIn(
  store: Store,
  context: DomainContext,
  users: Checks,
): DeviceOperations['signIn'] {
  const { apiKeys } = context.credentials;
  return async (source, { username, password = '', name, client }) => {
    const isWithout = password === '' && context.isDevelopment;
    if (password === '' && !isWithout) throw variableMissing('password');
    const program = cut(client, CLIENT_CHARACTERS) || 'Unspecified';
    const note = auditEntryMaker(context, {
      caller: source.caller,
      address: source.address,
      client: program,
    });
    return untilCurrent(async () => {
      const checked = isWithout
        ? await users.checkDevelopmentAccount(source, username)
        : await users.checkPassword(source, username, password);
      if (checked.bot_type !== null) throw refusal('bot_without_devices');
      return store.change(function* (tx) {
        const user = yield* stillSignedIn(tx, checked);
        const device = {
          accountId: user.id,
          name: cut(name ?? '', MAX_NAME) || program,
          client: program,
          signedInAt: context.nowSeconds(),
        };
        const device_id = yield* tx.insertDevice(device);
        const key = apiKeys.deriveDevice(device_id, 1);
        yield* tx.setDeviceKey(device_id, 1, apiKeys.hash(key));
        yield* tx.limitDevices(user.id, MAX_DEVICES);
        const whose = { actorId: user.id, userId: user.id };
        yield* tx.record(
          note('sign_in', { ...whose, details: { device_id, device: device.name } }),
        );
        const must_choose_password = !isWithout && user.is_password_given === 1;
        return { api_key: key, email: user.email, device_id, must_choose_password };
      });
    });
  };
}

export function deviceOperations(
  store: Store,
  context: DomainContext,
  users: Checks,
): DeviceOperations {
  function* end(
    tx: Transaction,
    source: ActionSource,
    device: DeviceRow | undefined,
    accountId: number,
  ): Operation<void> {
    if (device?.account_id !== accountId) throw refusal('no_such_device');
    yield* tx.removeDevice(accountId, device.id);
    const details = { device_id: device.id, device: device.name };
    yield* tx.record(
      auditEntryMaker(context, source)('device_ended', { userId: accountId, details }),
    );
  }
  return {
    signIn: signingIn(store, context, users),
    async listDevices(caller, userId) {
      if ((await store.findUser(userId)) === undefined) throw refusal('no_such_user');
      const use = await store.findAccountKeyUse(userId);
      return {
        devices: (await store.listDevices(userId)).map((row) => shapeOf(row, caller)),
        account_key: {
          last_used: use?.used_on ?? null,
          address: use?.address ?? null,
          is_current: caller.userId === userId && caller.deviceId === undefined,
        },
      };
    },
    listLastUses: () => lastUses(store),
    async endDevice(source, userId, deviceId) {
      await change(store, source.caller, function* (tx) {
        yield* end(tx, source, yield* tx.findDevice(deviceId), userId);
      });
      context.releasePolls(userId);
    },
    async endCurrentDevice(source) {
      const { userId, deviceId } = source.caller;
      if (deviceId === undefined) throw refusal('not_device_key');
      await change(store, source.caller, function* (tx) {
        yield* end(tx, source, yield* tx.findDevice(deviceId), userId);
      });
      context.releasePolls(userId);
    },
    async renewKeys(source, userId) {
      await change(store, source.caller, function* (tx) {
        const facts = yield* getFacts(tx, userId);
        const { columns } = yield* renewAll(tx, context, facts.user, null);
        const events = facts.user.bot_type === null ? [] : [keyRenewed(facts)];
        const entry = auditEntryMaker(context, source)('keys_renewed', { userId });
        yield* changeAccount(tx, userId, { columns, events: [...events, entry] });
      });
      context.releasePolls(userId);
    },
  };
}
