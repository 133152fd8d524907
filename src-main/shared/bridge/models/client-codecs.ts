/** What a window may hand to its session, as codecs: whoever receives it from another process checks it by these. */
import { z } from 'zod';
import { MESSAGE_IDS, NARROW_TERMS, PARTICIPANTS } from '#shared/api/bounds.ts';
import { NarrowTerm } from '#shared/api/narrow.ts';
import { type JoinLink as Link, LINK_ADDRESSES, LINK_NAME_CHARACTERS } from '#shared/join-link.ts';
import type { CheckSubject as Checked } from './connection-check.ts';
import type {
  Conversation as Place,
  PrivateView as PrivateShown,
  StreamView as StreamShown,
  View as Shown,
} from './conversation.ts';

type Frozen<T> = T extends Uint8Array | Shown
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Frozen<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Frozen<T[K]> }
      : T;
/** What a codec lets through, which nobody changes. */
type Given<C extends z.ZodType> = Frozen<z.output<C>>;

const MIB = 1024 * 1024;
/** More than a picture of a person may have; how much that is says whoever takes it. */
const MAX_PICTURE_BYTES = 16 * MIB;
const MAX_PIECE_BYTES = 4 * MIB;
const MAX_TEXT = 1_000_000;

const userIds = z.array(z.int()).max(PARTICIPANTS);
const text = z.string().max(MAX_TEXT);

export const Conversation: z.ZodType<Place> = z.union([
  z.object({ kind: z.literal('stream'), streamId: z.int(), topic: text }),
  z.object({ kind: z.literal('private'), userIds }),
]);

const StreamView: z.ZodType<StreamShown> = z.object({
  kind: z.literal('stream'),
  streamId: z.int(),
  topic: text.nullable(),
});
const PrivateView: z.ZodType<PrivateShown> = z.object({ kind: z.literal('private'), userIds });

export const View: z.ZodType<Shown> = z.union([
  StreamView,
  PrivateView,
  z.object({ kind: z.enum(['feed', 'mentions', 'starred']) }),
  z.object({
    kind: z.literal('search'),
    terms: z.array(NarrowTerm).max(NARROW_TERMS),
    order: z.literal('relevance').optional(),
  }),
]);

const count = z.int().min(0).max(1000);

export const MessagePageRequest = z.object({
  view: View,
  /** The message around which the page lies; it is part of the page where the view has it. */
  anchor: z.union([z.int(), z.enum(['newest', 'first-unread'])]),
  /** At most this many older ones, and newer ones. */
  before: count,
  after: count,
});
export type MessagePageRequest = Given<typeof MessagePageRequest>;

/** What somebody wrote and wants to be sent. */
export const Draft = z.object({
  conversation: Conversation,
  /** Markdown. */
  content: text,
});
export type Draft = Given<typeof Draft>;

/** Unsent text, one for each place where something can be written. */
export const StoredDraft = z.object({
  /** The `viewKey` of the place. */
  key: text,
  view: View,
  /** Null while nobody has touched it: then it is that of the view. */
  topic: text.nullable(),
  content: text,
  changedAtSeconds: z.number(),
});
export type StoredDraft = Given<typeof StoredDraft>;

const messageId = z.int().min(0);

/** What is to be marked as read. */
export const ReadTarget = z.union([
  z.object({ kind: z.literal('view'), view: View }),
  /** What is unread in the view between two messages, these included. */
  z.object({
    kind: z.literal('passage'),
    view: View,
    fromId: messageId,
    toId: messageId,
    /** Among them what was seen to be unread: of very many, nobody else may know. */
    seenIds: z.array(messageId).max(MESSAGE_IDS),
  }),
  z.object({ kind: z.literal('everything') }),
]);
export type ReadTarget = Given<typeof ReadTarget>;

const bytesUpTo = (most: number) =>
  z.instanceof(Uint8Array<ArrayBuffer>).refine(({ byteLength }) => byteLength <= most);

/** Names the upload in `holdFile`, `uploadProgress` and `cancelUpload`; chosen by the window. */
const uploadId = z.string().min(1).max(100);

export const UploadRequest = z.object({
  uploadId,
  name: z.string().min(1).max(1000),
  /** A media type; empty where it is not known. */
  type: z.string().max(200),
});
export type UploadRequest = Given<typeof UploadRequest>;

/** A file so small that it goes with its call. */
export const PictureRequest = UploadRequest.extend({ bytes: bytesUpTo(MAX_PICTURE_BYTES) });
export type PictureRequest = Given<typeof PictureRequest>;

/** A part of a file that is nowhere on the disk, as it crosses to another process. */
export const FilePiece = z.object({
  offset: z.int().min(0),
  bytes: bytesUpTo(MAX_PIECE_BYTES),
  isLast: z.boolean(),
});
export type FilePiece = Given<typeof FilePiece>;

/** A file of the service that a person wants to have. */
export const SaveRequest = z.object({
  /** Names it in `saveProgress` and `cancelSave`; chosen by the window. */
  saveId: z.string().min(1).max(100),
  /** Relative to the service, or absolute. */
  url: z.string().max(10_000),
  /** What it is called so far. */
  name: z.string().max(1000),
});
export type SaveRequest = Given<typeof SaveRequest>;

/** An upload into a text, as a page that goes leaves it for the next one. */
export const BackgroundUpload = z.object({
  uploadId,
  name: z.string().min(1).max(1000),
  sizeBytes: z.int().min(0),
  /** The place whose text its link belongs to. */
  view: z.union([StreamView, PrivateView]),
  /** Where in that text the link will stand, in UTF-16 units. */
  at: z.int().min(0),
  /** 0 to 1 */
  share: z.number().min(0).max(1),
  /** Why it did not arrive; empty while it is under way. */
  failure: z.string().max(10_000),
});
export type BackgroundUpload = Given<typeof BackgroundUpload>;

/** In a browser: until one signs out, not only as long as the tab is open. Undefined leaves it as it was. */
const staysSignedIn = z.boolean().optional();
/** Safety words that the person chose from those of WORDS_NEEDED. */
const words = z.string().optional();

/** What creating an organization takes. */
export const HostRequest = z.object({
  realmName: z.string(),
  fullName: z.string(),
  email: z.string(),
  password: z.string(),
  /** As the service printed it; a person is asked for it where the service runs on another computer. */
  setupCode: z.string().optional(),
  staysSignedIn,
});
export type HostRequest = Given<typeof HostRequest>;

export const ConnectRequest = z.object({
  /** As typed: scheme and port may be left out. */
  address: z.string(),
  email: z.string(),
  /** May be empty only for a development service, which hands out keys without one. */
  password: z.string(),
  /** Instead of the password that an administrator made the account with: without it, one of PASSWORD_GIVEN. */
  newPassword: z.string().optional(),
  staysSignedIn,
  words,
});
export type ConnectRequest = Given<typeof ConnectRequest>;

/** Asks to join an organization. */
export const JoinRequest = z.object({
  /** As it was typed or chosen. */
  address: z.string().max(10_000),
  fullName: z.string().max(1000),
  email: z.string().max(1000),
  /** Who they are; may be empty. */
  about: z.string().max(10_000),
  words,
});
export type JoinRequest = Given<typeof JoinRequest>;

/** Chooses a new password by a link, and signs in with it. */
export const PasswordLinkRequest = z.object({
  /** As in the link. */
  address: z.string(),
  token: z.string(),
  password: z.string(),
  staysSignedIn,
  words,
});
export type PasswordLinkRequest = Given<typeof PasswordLinkRequest>;

const joinLink = {
  token: z.string().max(100),
  addresses: z
    .array(z.url({ protocol: /^https?$/ }))
    .min(1)
    .max(LINK_ADDRESSES),
  pin: z.string().max(100).nullable(),
  realmName: z.string().max(LINK_NAME_CHARACTERS),
};

export const JoinLink: z.ZodType<Link> = z.object(joinLink);

export const CheckSubject: z.ZodType<Checked> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('address'), address: z.string().max(10_000) }),
  z.object({ kind: z.literal('account'), accountId: z.string().min(1).max(1000) }),
  z.object({
    kind: z.literal('invitation'),
    addresses: joinLink.addresses,
    pin: joinLink.pin,
  }),
]);

/** Accepts an invitation. */
export const InvitationRequest = z.object({
  ...joinLink,
  fullName: z.string(),
  password: z.string(),
  /** By which to sign in, where the link is for many. */
  email: z.string().optional(),
  words,
  staysSignedIn,
});
export type InvitationRequest = Given<typeof InvitationRequest>;

export const NewStream = z.object({
  name: z.string(),
  description: z.string(),
  isPrivate: z.boolean(),
  /** People to subscribe beside oneself. */
  userIds: z.array(z.int()),
});
export type NewStream = Given<typeof NewStream>;

export const NewPerson = z.object({
  fullName: z.string(),
  email: z.string(),
  password: z.string(),
});
export type NewPerson = Given<typeof NewPerson>;
