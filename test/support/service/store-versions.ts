/**
 * A database of every form that is brought up to date, with a row in every table, written the way that form's SQL allows. A new
 * step comes with a builder for the form that it makes; those before it stay as they are.
 */
import { spawnSync } from 'node:child_process';
import Database from 'better-sqlite3';
import { OLDEST_FORM, steps } from '#service/db/migrations/steps.ts';
import { earlierOfficePacked } from '../earlier-office.ts';

const APPLICATION_ID = 0x48727468;

const version21 = `
  INSERT INTO realm VALUES (1, 'Old', 'Since the beginning', 1, 1600000000, '{}', 0, NULL);
  INSERT INTO account (id, email, email_key, full_name, full_name_key, short_name, role, gravatar_hash, joined_at)
    VALUES (1, 'Ada@example.com', 'ada@example.com', 'Ada', 'ada', 'ada', 'admin', 'abc', 1600000000);
  INSERT INTO account (id, email, email_key, full_name, full_name_key, short_name, role, bot_type, owner_id,
      password_hash, key_generation, key_hash, gravatar_hash, joined_at)
    VALUES (5, 'bot@example.com', 'bot@example.com', 'Bot', 'bot', 'bot', 'member', 1, 1, NULL, 3, 'kh', 'def', 1600000001);
  INSERT INTO recipient VALUES (1, 'stream'), (2, 'private');
  INSERT INTO stream (id, recipient_id, name, name_key, description, rendered_description, is_private,
      is_announcement_only, is_history_public, is_default, first_message_id, creator_id, created_at)
    VALUES (1, 1, 'Général', 'général', 'all', '<p>all</p>', 0, 0, 1, 1, 10, 1, 1600000000);
  INSERT INTO conversation VALUES (2, '1,5');
  INSERT INTO membership VALUES (1, 1, 1, 0, 10, 0), (2, 1, 1, 12, NULL, 0), (3, 2, 1, 0, NULL, 0), (4, 2, 5, 0, NULL, 0);
  INSERT INTO stream_setting VALUES (1, 1, '#aabbcc', 0, 1, NULL, 1, NULL, 0);
  INSERT INTO topic VALUES (1, 1, 'Lunch', 'lunch');
  INSERT INTO muted_topic VALUES (1, 1);
  INSERT INTO client VALUES (1, 'website');
  INSERT INTO message (id, recipient_id, topic_id, topic_name, sender_id, client_id, content, rendered,
      is_me_message, has_wildcard_mention, has_link, has_image, has_attachment, sent_at)
    VALUES (10, 1, 1, 'LUNCH', 5, 1, 'soup?', '<p>soup?</p>', 0, 1, 0, 0, 0, 1600000010),
           (11, 1, 1, NULL, 5, 1, 'missed', '<p>missed</p>', 0, 0, 0, 0, 0, 1600000011),
           (20, 2, NULL, NULL, 5, 1, 'psst', '<p>psst</p>', 0, 0, 0, 0, 0, 1600000020);
  INSERT INTO read_mark VALUES (1, 1, 0, 15);
  INSERT INTO read_exception VALUES (1, 10, 0);
  INSERT INTO message_flag VALUES (1, 20, 'starred');
  INSERT INTO event VALUES (3, 'message', '{"kind":"users","userIds":[1,5]}', '{"message_id":20,"echo":null}');
  UPDATE event_counter SET reserved_through = 1000;
  INSERT INTO queue VALUES ('1:2', 1, '{}', 2, 2, 600, 1600000021);
  UPDATE realm SET settings = '{"allow_edit_history":false}';
  UPDATE account SET settings = '{"enable_sounds":false}' WHERE id = 1;
  INSERT INTO message_edit VALUES (1, 10, 5, 1600000012, 'soop?', '<p>soop?</p>', NULL, NULL, 1, NULL, 16);
  INSERT INTO reaction VALUES (1, 10, 1, 'unicode_emoji', '1f389', 'tada');
  INSERT INTO alert_word VALUES (1, 'soup', 'Soup', 0);
  INSERT INTO linkifier VALUES (1, '#(?P<id>[0-9]+)', 'https://example.com/%(id)s');
  INSERT INTO emoji VALUES (1, 'party', 1, '1.png', 0, 1600000000);
  INSERT INTO attachment VALUES (1, '1/abc/a.txt', 'a.txt', 'text/plain', 3, 1, 1600000000);
  INSERT INTO attachment_message VALUES (1, 20);
  INSERT INTO presence VALUES (1, 'website', 'active', 1600000000);
  INSERT INTO bot_service VALUES (5, 'https://example.com/hook', 1, 'token');
  INSERT INTO bot_delivery VALUES (1, 5, 20, 'mention', 0);
  INSERT INTO bot_storage VALUES (5, 'count', '1');
  INSERT INTO suspended_subscription VALUES (5, 1);
  INSERT INTO user_status VALUES (1, 0, 'here');
  INSERT INTO user_group VALUES (1, 'Leads', 'leads', 'Who leads');
  INSERT INTO user_group_member VALUES (1, 1);
  INSERT INTO profile_field VALUES (1, 'About', 'about', 2, '', '', 1);
  INSERT INTO profile_value VALUES (1, 1, 'me', '<p>me</p>');
  INSERT INTO submessage VALUES (1, 10, 1, 'widget', '{}');
  INSERT INTO invitation VALUES (1, 'Eve@example.com', 'eve@example.com', 'member', 1, 1600000000, 'pending', '[1]', 1600864000, NULL, 0);
  INSERT INTO sent_local_id VALUES (20, 5, '0199f3a0-0000-4000-8000-000000000001', 'd', 1600000020);
  INSERT INTO search_pending VALUES (10, 1);
  INSERT INTO stream_traffic VALUES (18518, 1, 2);
  INSERT INTO message_hour VALUES (10, 444444);
  INSERT INTO lost_access VALUES (5, 1, 'former name');
  INSERT INTO kept_version VALUES (5, 10, 0);
  INSERT INTO device VALUES (1, 1, 'Laptop', 'Hearth', 2, 'dh', 1600000000, 100002);
  INSERT INTO key_use VALUES (1, 0, 1599955200, '127.0.0.1'), (1, 1, 1599955200, '192.0.2.1');
  INSERT INTO password_link VALUES (1, 'lh', NULL, 1600000000);
  INSERT INTO audit_entry VALUES (1, 'role_changed', 1600000000, 1, '127.0.0.1', 'Hearth', 2, NULL, 1, '{}');
  INSERT INTO epoch VALUES (1600000000, 'e', '', NULL, 1600000000, 1599990000);
  INSERT INTO bot_secret VALUES (1, 'quiet water');
  INSERT INTO kept_delivery VALUES (1, 5, 'incoming', 1600000000, 1600000000, 'github', 'push', 'posted', 200, '', 1,
    '[20]', NULL, NULL);
  INSERT INTO kept_delivery_content VALUES (1, '{"query":"","headers":[],"isWhole":true}', '{}');
  INSERT INTO bot_hook VALUES (5, 'github', 'general', '', '[]', 0);
  UPDATE message SET edit_number = 7, recovered_at = 1600000030 WHERE id = 20;
  INSERT INTO deleted_message VALUES (12);
`;

const version23 = `
  ${version21}
  INSERT INTO superseded_text VALUES (10, 1);
`;

const version24 = version23
  .replace("(1, 5, 20, 'mention', 0);", "(1, 5, 20, 'mention', 0, 1);")
  .replace("    '[20]', NULL, NULL);", "    '[20]', NULL, NULL, 1);")
  .replace(`"isWhole":true}', '{}');`, `"isWhole":true}', '{}', 1);`);

const version25 = version24.replace(
  "'Since the beginning', 1, 1600000000, '{}', 0, NULL);",
  "'Since the beginning', 1, 1600000000, '{}', 0, NULL, NULL);",
);

const version26 = `
  ${version25}
  INSERT INTO restore_report VALUES (1, 1599990000, 1599999000, 2);
`;

const version29 = `
  ${version26}
  INSERT INTO join_request VALUES (1, 'sh', 'Fay@example.com', 'fay@example.com', 'Fay', 'the new one', '192.0.2.1',
    1600000000, 1600604800, 'accepted', 1);
`;

const version31 = `
  ${version29}
  INSERT INTO unfinished_upload VALUES ('u1', '1/u1/film.mp4', 'film.mp4', 'video/mp4', 10, 3, 1, 1600000000, 0);
`;

/** By form, from the oldest on. */
const builders: readonly string[] = [
  version21,
  version21,
  version23,
  version24,
  version25,
  version26,
  version26,
  version26,
  version29,
  version29,
  version31,
];

export const forms: readonly number[] = builders.map((_, index) => OLDEST_FORM + index);

/** Of the oldest form, as a service of then wrote them. */
function readOldestTables(): string {
  const { stdout } = spawnSync('tar', ['-xzOf', earlierOfficePacked, './office/hearth.db']);
  // In memory there is no write-ahead log, which the file says it has.
  const db = new Database(stdout.fill(1, 18, 20));
  const wanted = "sql IS NOT NULL AND name NOT LIKE 'sqlite_%'";
  const tables = db.prepare(`SELECT sql FROM sqlite_schema WHERE ${wanted} ORDER BY rowid`);
  const sql = (tables.pluck().all() as string[]).join(';\n');
  db.close();
  return `${sql};
    INSERT INTO event_counter VALUES (0);
    INSERT INTO search_key VALUES ('');
    INSERT INTO traffic_counted VALUES (0);`;
}

let oldestTables: string | undefined;

/** Makes the tables of a form, and a row in each. */
export function fillAsForm(db: Database.Database, form: number): void {
  db.exec((oldestTables ??= readOldestTables()));
  for (const sql of steps.slice(0, form - OLDEST_FORM)) db.exec(sql);
  db.exec(builders[form - OLDEST_FORM] ?? '');
}

/** Writes a database as Hearth left it when it had this form. */
export function buildForm(file: string, form: number): void {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  fillAsForm(db, form);
  db.pragma(`user_version = ${form}`);
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.close();
}
