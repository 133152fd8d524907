/** What people are doing, in the initial state (API decisions 9 and 9.4). */
import { presencesShape } from '#service/features/people/rules/presence.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';
import { statusShape } from '#service/features/people/rules/statuses.ts';
import { part } from './section.ts';

export const presencePart = part(
  ['presences', 'realm'],
  ({ nowSeconds }, { presences, realm }) => ({
    presences: presencesShape(realmSettings(realm).presence_disabled ? [] : presences),
    server_timestamp: nowSeconds,
  }),
);

export const userStatusPart = part(['statuses'], (_request, { statuses }) => ({
  user_status: Object.fromEntries(
    statuses.map((row) => [String(row.account_id), statusShape(row)]),
  ),
}));

export const pointerPart = part(['pointer'], (_request, { pointer }) => ({ pointer }));
