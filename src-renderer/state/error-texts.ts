import type { Outcome } from '#shared/bridge/outcome.ts';
import type { Bridge } from '#preload/bridge.ts';
import { errorTextFor } from '../i18n/errors.ts';

const withErrorText = <T>(outcome: Outcome<T>): Outcome<T> => {
  if (outcome.ok) return outcome;
  const { failure } = outcome;
  return { ok: false, failure: { ...failure, message: errorTextFor(failure) } };
};

/** The bridge of a window in which the service's refusals read as everything else does. */
export const withErrorTexts = (bridge: Bridge): Bridge => ({
  ...bridge,
  request: async (accountId, name, args) =>
    withErrorText(await bridge.request(accountId, name, args)),
  requestWithFile: async (accountId, name, args, file) =>
    withErrorText(await bridge.requestWithFile(accountId, name, args, file)),
  hostOrganization: async (request) => withErrorText(await bridge.hostOrganization(request)),
  choosePassword: async (request) => withErrorText(await bridge.choosePassword(request)),
  connect: async (request) => {
    const outcome = await bridge.connect(request);
    // What it says of signing in is its own already; the service speaks of the new password alone.
    const isOfService = !outcome.ok && outcome.failure.code === 'REQUEST_VARIABLE_INVALID';
    return isOfService ? withErrorText(outcome) : outcome;
  },
  createPerson: async (accountId, person) =>
    withErrorText(await bridge.createPerson(accountId, person)),
  createStream: async (accountId, stream) =>
    withErrorText(await bridge.createStream(accountId, stream)),
  messages: async (accountId, request) => withErrorText(await bridge.messages(accountId, request)),
  source: async (accountId, messageId) => withErrorText(await bridge.source(accountId, messageId)),
  upload: async (accountId, request) => withErrorText(await bridge.upload(accountId, request)),
});
