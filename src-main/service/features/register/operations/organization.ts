/** The organization in the initial state. */
import { botDomain } from '#service/features/bots/rules/bots.ts';
import { mayCall } from '#service/core/rules/permissions.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';
import { uploadLimits } from '#service/core/rules/organization-defaults.ts';
import { mostUploadMib } from '#service/features/files/rules/upload-limits.ts';
import { part } from './section.ts';

const realmPart = part(['realm'], ({ origin, uploadBytes }, { realm }) => {
  const { max_file_upload_size: _chosen, ...rest } = realmSettings(realm);
  const settings = {
    ...rest,
    name: realm?.name ?? '',
    description: realm?.description ?? '',
    uri: origin,
    bot_domain: botDomain(origin),
    notifications_stream_id: realm?.notifications_stream_id ?? -1,
  };
  return {
    ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [`realm_${key}`, value])),
    ...uploadLimits,
    max_file_upload_size: mostUploadMib(realm, { uploadBytes }),
  };
});

const linkifierPart = part(['linkifiers'], (_request, { linkifiers }) => ({
  realm_filters: linkifiers.map((row) => [row.pattern, row.url_format, row.id]),
}));

/** Who asks is for administrators alone. */
const joinRequestPart = part(['joinRequestCount'], ({ caller }, { joinRequestCount }) =>
  mayCall('admin', caller) ? { join_request_count: joinRequestCount } : {},
);

/** By the type of the events that go on from it. */
export const organizationParts = {
  realm: realmPart,
  realm_filters: linkifierPart,
};

/** Only where they are named. */
export const namedOrganizationParts = {
  join_requests: joinRequestPart,
};
