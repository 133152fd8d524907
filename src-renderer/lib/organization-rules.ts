/** What the window reads of the settings of the organization where no policy decides, by what they mean there. */
import type { OrganizationSettings } from '#shared/api/models/organization-settings.ts';

const UPLOAD_MIB_OF_OLD_SERVICES = 25;

export const organizationRules = (settings: OrganizationSettings) => ({
  showsEditHistory: settings.allow_edit_history,
  needsTopics: settings.mandatory_topics,
  maxUploadMiB: settings.max_file_upload_size ?? UPLOAD_MIB_OF_OLD_SERVICES,
  /** 1 members, 2 generic bots only by administrators, 3 all bots only by administrators. */
  botPolicy: settings.bot_creation_policy,
  /** Who may ask to join: 1 nobody, 2 people in the same network, 3 everybody; 0 where the service knows no requests. */
  askToJoinPolicy: settings.ask_to_join_policy,
  /** How many days entries of the audit log are kept. */
  auditLogDays: settings.audit_log_retention_days,
});

export type OrganizationRules = ReturnType<typeof organizationRules>;
