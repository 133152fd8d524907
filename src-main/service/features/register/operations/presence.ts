/** What people are doing, in the initial state (API decisions 9 and 9.4). */
import { presencesShape } from '#service/features/people/rules/presence.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';
import { statusShape } from '#service/features/people/rules/statuses.ts';
import { part } from './section.ts';

const presencePart = part(['presences', 'realm'], ({ nowSeconds }, { presences, realm }) => ({
  presences: presencesShape(realmSettings(realm).presence_disabled ? [] : presences),
  server_timestamp: nowSeconds,
}));

const userStatusPart = part(['statuses'], (_request, { statuses }) => ({
  user_status: Object.fromEntries(
    statuses.map((row) => [String(row.account_id), statusShape(row)]),
  ),
}));

const pointerPart = part(['pointer'], (_request, { pointer }) => ({ pointer }));

/** By the type of the events that go on from it. */
export const presenceParts = {
  presence: presencePart,
  pointer: pointerPart,
  user_status: userStatusPart,
};
