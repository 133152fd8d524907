/** The organization by what the service tells of its settings. */
import { z } from 'zod';
import type { Organization } from '#shared/bridge/models/client-state.ts';
import {
  organizationDefaults,
  organizationSettings,
} from '#shared/api/models/organization-settings.ts';
import { withTold } from '#shared/api/setting-codecs.ts';

/** The picture is set otherwise, and told as they are. */
const Icon = z.object({
  icon_url: z.string().nullable().optional().catch(undefined),
  icon_source: z.unknown().optional(),
});

function iconFrom(told: Readonly<Record<string, unknown>>, shown: string | null): string | null {
  const { icon_url: url = shown, icon_source: source } = Icon.parse(told);
  // "G": nobody has chosen one, and the address is that of a picture for all.
  return source === 'G' || url === '' ? null : url;
}

/** @param told  by names of the wire, without the prefix `realm_` of the snapshot; the same object where they say nothing new */
export function withRealmSettings(
  organization: Organization,
  told: Readonly<Record<string, unknown>>,
): Organization {
  const settings = withTold(organizationSettings, organization.settings, told);
  const iconUrl = iconFrom(told, organization.iconUrl);
  const isSame = settings === organization.settings && iconUrl === organization.iconUrl;
  return isSame ? organization : { ...organization, settings, iconUrl };
}

/** As a service has them that says nothing of them. */
export const defaultOrganization: Organization = {
  // A service of before takes no requests to join, and files of one size.
  settings: { ...organizationDefaults, ask_to_join_policy: 0, max_file_upload_size: 25 },
  iconUrl: null,
  canCreateStreams: true,
  canSubscribeOthers: true,
  joinRequests: 0,
  notificationSounds: [],
};
