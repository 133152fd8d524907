/** The organization in the initial state. */
import { botDomain } from '../rules/people/bots.ts';
import { realmSettings } from '../rules/realm-settings.ts';
import { uploadLimits } from '../rules/defaults.ts';
import { part } from './part.ts';

export const realmPart = part(['realm'], ({ origin }, { realm }) => {
  const settings = {
    ...realmSettings(realm),
    name: realm?.name ?? '',
    description: realm?.description ?? '',
    uri: origin,
    bot_domain: botDomain(origin),
    notifications_stream_id: realm?.notifications_stream_id ?? -1,
  };
  return {
    ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [`realm_${key}`, value])),
    ...uploadLimits,
  };
});

export const linkifierPart = part(['linkifiers'], (_request, { linkifiers }) => ({
  realm_filters: linkifiers.map((row) => [row.pattern, row.url_format, row.id]),
}));
