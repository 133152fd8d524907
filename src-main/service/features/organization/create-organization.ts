/** What the organization is and allows, and what the service says of itself. */
import type { LoggedWarning } from '#node/log.ts';
import type { FeatureContext } from '#service/core/feature-context.ts';
import type { UserOperations } from '#service/features/people/operations/users.ts';
import type { EventQueues } from '#service/features/register/handlers/events.ts';
import type { Confusables } from '#shared/text/look-alikes.ts';
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
import { type HealthParts, readHealth } from './operations/health.ts';
import { realmIconOperations } from './operations/icon.ts';
import { linkifierOperations } from './operations/linkifiers.ts';
import { migrationOperations } from './operations/migration.ts';
import { startClashSearch } from './operations/name-clashes.ts';
import { organizationOperations } from './operations/organization.ts';
import { restoreGenerationOperations } from './operations/restore-generations.ts';
import { realmOperations } from './operations/settings.ts';
import { auditTargetChanges } from './operations/webhook-target-notes.ts';

interface OrganizationParts {
  readonly addresses: () => readonly string[];
  readonly findNextIdentityKey: FindNextIdentityKey;
  readonly loadConfusables: () => Promise<Confusables>;
  readonly databaseBytes: () => Promise<number>;
  readonly warned: () => readonly LoggedWarning[];
}

export function createOrganization(
  context: FeatureContext,
  parts: OrganizationParts,
  users: UserOperations,
  { registry, waiters }: Pick<EventQueues, 'registry' | 'waiters'>,
) {
  const { store, files, limits, clock, log, version, nowSeconds } = context;
  const { addresses, findNextIdentityKey, loadConfusables, databaseBytes } = parts;
  const clashes = startClashSearch({ store, log, clock, loadConfusables });
  const health: HealthParts = {
    store,
    files,
    version,
    startedAt: nowSeconds(),
    databaseBytes,
    async warned() {
      await clashes.finish();
      return parts.warned();
    },
    queues: () => registry.size,
    connected: () => waiters.size,
  };
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
    health: () => readHealth(health),
    noteTargetFromHost: auditTargetChanges(store, context),
    sweeps: { 'the audit log': audit.trim },
    stop: () => clashes.stop(),
  };
}
