import type { devices } from '#shared/api/endpoints/people/devices.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { DeviceOperations } from '../operations/devices.ts';

export const deviceHandlers = (domain: DeviceOperations): Handlers<typeof devices> => ({
  signIn: (call, { client, ...request }) =>
    domain.signIn(call, { ...request, client: client ?? call.client }),
  list: ({ caller }) => domain.listDevices(caller, caller.userId),
  async end(call, { deviceId }) {
    await domain.endDevice(call, call.caller.userId, deviceId);
    return {};
  },
  async endCurrent(call) {
    await domain.endCurrentDevice(call);
    return {};
  },
  listOf: ({ caller }, { userId }) => domain.listDevices(caller, userId),
  lastUses: () => domain.listLastUses(),
  async endOf(call, { userId, deviceId }) {
    await domain.endDevice(call, userId, deviceId);
    return {};
  },
  async renewKeys(call, { userId }) {
    await domain.renewKeys(call, userId);
    return {};
  },
});
