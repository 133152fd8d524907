import { initial } from './0001-initial.ts';
import { complete } from './0002-complete.ts';
import { messageHours } from './0003-message-hours.ts';
import { lostAccess } from './0004-lost-access.ts';
import { botRoles } from './0005-bot-roles.ts';
import { devices } from './0006-devices.ts';
import { formerNames } from './0007-former-names.ts';
import { passwordLinks } from './0008-password-links.ts';
import { givenPasswords } from './0009-given-passwords.ts';
import { auditLog } from './0010-audit-log.ts';
import { newestMessage } from './0011-newest-message.ts';
import { epochs } from './0012-epochs.ts';
import { botSecrets } from './0013-bot-secrets.ts';
import { keptDeliveries } from './0014-kept-deliveries.ts';
import { successors } from './0015-successors.ts';
import { invitationsForMany } from './0016-invitations-for-many.ts';
import { recoveredMessages } from './0017-recovered-messages.ts';
import { unreadColumns } from './0018-unread-columns.ts';
import { archivedStreams } from './0019-archived-streams.ts';
import { searchFile } from './0020-search-file.ts';
import { countedTraffic } from './0021-counted-traffic.ts';
import { messageIndexes } from './0022-message-indexes.ts';
import { supersededTexts } from './0023-superseded-texts.ts';
import { deliveryOwners } from './0024-delivery-owners.ts';
import { closedRestores } from './0025-closed-restores.ts';
import { restoreReports } from './0026-restore-reports.ts';
import { statementIndexes } from './0027-statement-indexes.ts';
import { filesInHistory } from './0028-files-in-history.ts';
import { joinRequests } from './0029-join-requests.ts';

/** In order; the position is the version. A released migration is never edited. */
export const migrations: readonly string[] = [
  initial,
  complete,
  messageHours,
  lostAccess,
  botRoles,
  devices,
  formerNames,
  passwordLinks,
  givenPasswords,
  auditLog,
  newestMessage,
  epochs,
  botSecrets,
  keptDeliveries,
  successors,
  invitationsForMany,
  recoveredMessages,
  unreadColumns,
  archivedStreams,
  searchFile,
  countedTraffic,
  messageIndexes,
  supersededTexts,
  deliveryOwners,
  closedRestores,
  restoreReports,
  statementIndexes,
  filesInHistory,
  joinRequests,
];
