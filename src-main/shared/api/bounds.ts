/**
 * How long, how large and how many something may be, wherever it is checked or named (specification 8, API decisions 13). What
 * each installation decides for itself is in `shared/limits.ts`.
 */

interface Range {
  readonly least: number;
  readonly most: number;
}

/** Of a message, in UTF-8. */
export const CONTENT_BYTES = 10_000;
export const TOPIC_CHARACTERS = 60;
/** People and bots of a private message. */
export const PARTICIPANTS = 100;
/** Of what a program calls itself. */
export const CLIENT_CHARACTERS = 30;

export const STREAM_NAME_CHARACTERS = 60;
export const ORGANIZATION_NAME_CHARACTERS = 60;
/** Of a stream and of the organization. */
export const DESCRIPTION_CHARACTERS = 1024;

export const FULL_NAME_CHARACTERS: Range = { least: 2, most: 100 };
export const PASSWORD_CHARACTERS: Range = { least: 8, most: 100 };
export const STATUS_CHARACTERS = 60;
/** What somebody who asks to join says of themselves. */
export const ABOUT_CHARACTERS = 200;

/** Of an invitation for many. */
export const INVITATION_DAYS = 30;
export const INVITATION_USES = 500;

/** Faces, emoji, and the picture of the organization. */
export const PICTURE_MIB = 5;
/** Their width and their height, in pixels. */
export const PICTURE_SIDE = 4096;

/** The largest file that an organization may allow. */
export const MOST_UPLOAD_MIB = 4096;

/** For so long a report of somebody's presence holds. Clients report once a minute: two may be missed. */
export const PRESENCE_SECONDS = 140;

/** Messages of one page. */
export const PAGE_MESSAGES = 5000;
/** Terms of one narrow. */
export const NARROW_TERMS = 100;
/** Ids of messages in one request. */
export const MESSAGE_IDS = 50_000;
/** Messages that are given back to an organization in one request, and those that are asked about. */
export const OFFERED_MESSAGES = 100;
export const COMPARED_MESSAGES = 2000;
