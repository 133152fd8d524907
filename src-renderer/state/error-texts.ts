import type { Outcome } from '#shared/bridge/outcome.ts';
import type { Bridge } from '#preload/bridge.ts';
import { errorTextFor } from '../i18n/errors.ts';

const withErrorText = <T>(outcome: Outcome<T>, place: string): Outcome<T> => {
  if (outcome.ok) return outcome;
  const { failure } = outcome;
  return { ok: false, failure: { ...failure, message: errorTextFor(failure, place) } };
};

/** The bridge of a window in which the service's refusals read as everything else does. */
export const withErrorTexts = (bridge: Bridge): Bridge => ({
  ...bridge,
  request: async (accountId, name, args) =>
    withErrorText(await bridge.request(accountId, name, args), name),
  requestWithFile: async (accountId, name, args, file) =>
    withErrorText(await bridge.requestWithFile(accountId, name, args, file), name),
  hostOrganization: async (request) =>
    withErrorText(await bridge.hostOrganization(request), 'hostOrganization'),
  choosePassword: async (request) =>
    withErrorText(await bridge.choosePassword(request), 'choosePassword'),
  connect: async (request) => {
    const outcome = await bridge.connect(request);
    // What it says of signing in is its own already; the service speaks of the new password alone.
    const isOfService = !outcome.ok && outcome.failure.code === 'REQUEST_VARIABLE_INVALID';
    return isOfService ? withErrorText(outcome, 'connect') : outcome;
  },
  createPerson: async (accountId, person) =>
    withErrorText(await bridge.createPerson(accountId, person), 'createPerson'),
  createStream: async (accountId, stream) =>
    withErrorText(await bridge.createStream(accountId, stream), 'createStream'),
  messages: async (accountId, request) =>
    withErrorText(await bridge.messages(accountId, request), 'messages'),
  source: async (accountId, messageId) =>
    withErrorText(await bridge.source(accountId, messageId), 'source'),
  upload: async (accountId, request) =>
    withErrorText(await bridge.upload(accountId, request), 'upload'),
});
