/** What the organization is and allows, and what the service says of itself. */
import type { FeatureContext } from '#service/core/feature-context.ts';
import type { UserOperations } from '#service/features/people/operations/users.ts';
import { auditLogHandlers } from './handlers/audit-log.ts';
import { closingHandlers } from './handlers/closing.ts';
import { compatibilityHandlers } from './handlers/compatibility.ts';
import { emojiHandlers } from './handlers/emoji.ts';
import { organizationFileHandlers } from './handlers/file-usage.ts';
import { healthHandlers } from './handlers/health.ts';
import { realmIconHandlers } from './handlers/icon.ts';
import { linkifierHandlers } from './handlers/linkifiers.ts';
import { type FindNextIdentityKey, serverHandlers } from './handlers/server.ts';
import { realmHandlers } from './handlers/settings.ts';
import { auditLogOperations } from './operations/audit-log.ts';
import { closingOperations } from './operations/closing.ts';
import { emojiOperations } from './operations/emoji.ts';
import { organizationFileOperations } from './operations/file-usage.ts';
import type { HealthParts } from './operations/health.ts';
import { realmIconOperations } from './operations/icon.ts';
import { linkifierOperations } from './operations/linkifiers.ts';
import { migrationOperations } from './operations/migration.ts';
import { organizationOperations } from './operations/organization.ts';
import { restoreGenerationOperations } from './operations/restore-generations.ts';
import { realmOperations } from './operations/settings.ts';

interface OrganizationNeeds {
  readonly users: UserOperations;
  readonly health: HealthParts;
  readonly addresses: () => readonly string[];
  readonly findNextIdentityKey: FindNextIdentityKey;
}

export function createOrganization(
  context: FeatureContext,
  { users, health, addresses, findNextIdentityKey }: OrganizationNeeds,
) {
  const { store, limits } = context;
  const organization = organizationOperations(store, context);
  const generations = restoreGenerationOperations(store, context);
  const audit = auditLogOperations(store, context);
  return {
    handlers: {
      server: serverHandlers({ ...organization, ...generations }, addresses, findNextIdentityKey),
      realm: realmHandlers(realmOperations(store, context)),
      realmIcon: realmIconHandlers(realmIconOperations(store, context)),
      emoji: emojiHandlers(emojiOperations(store, context)),
      linkifiers: linkifierHandlers(linkifierOperations(store, context)),
      auditLog: auditLogHandlers(audit),
      health: healthHandlers(health),
      officeFiles: organizationFileHandlers(organizationFileOperations(store, limits)),
      closing: closingHandlers(closingOperations(store, context)),
      compatibility: compatibilityHandlers(users),
    },
    migration: migrationOperations(store, context),
    seedDevelopment: organization.seedDevelopment,
    trimAuditLog: audit.trim,
  };
}
