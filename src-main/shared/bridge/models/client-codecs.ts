/** What a window may hand to its session, as codecs: whoever receives it from another process checks it by these. */
import { z } from 'zod';
import { MESSAGE_IDS, NARROW_TERMS, PARTICIPANTS } from '#shared/api/bounds.ts';
import { NarrowTerm } from '#shared/api/narrow.ts';
import type {
  ConnectRequest as Connect,
  Draft as Written,
  FilePiece as Piece,
  HostRequest as Host,
  BackgroundUpload as Left,
  MessagePageRequest as PageRequest,
  NewPerson as Colleague,
  NewStream as Stream,
  ReadTarget as Target,
  InvitationRequest as Acceptance,
  JoinRequest as Joining,
  PasswordLinkRequest as LinkRequest,
  PictureRequest as Picture,
  SaveRequest as Saved,
  StoredDraft as Stored,
  UploadRequest as Upload,
} from './client.ts';
import { type JoinLink as Link, LINK_ADDRESSES, LINK_NAME_CHARACTERS } from '#shared/join-link.ts';
import type { CheckSubject as Checked } from './connection-check.ts';
import type { Conversation as Place, View as Shown } from './conversation.ts';

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

const StreamView = z.object({
  kind: z.literal('stream'),
  streamId: z.int(),
  topic: text.nullable(),
});
const PrivateView = z.object({ kind: z.literal('private'), userIds });

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

export const MessagePageRequest: z.ZodType<PageRequest> = z.object({
  view: View,
  anchor: z.union([z.int(), z.enum(['newest', 'first-unread'])]),
  before: count,
  after: count,
});

export const Draft: z.ZodType<Written> = z.object({ conversation: Conversation, content: text });

export const StoredDraft: z.ZodType<Stored> = z.object({
  key: text,
  view: View,
  topic: text.nullable(),
  content: text,
  changedAtSeconds: z.number(),
});

const messageId = z.int().min(0);

export const ReadTarget: z.ZodType<Target> = z.union([
  z.object({ kind: z.literal('view'), view: View }),
  z.object({
    kind: z.literal('passage'),
    view: View,
    fromId: messageId,
    toId: messageId,
    seenIds: z.array(messageId).max(MESSAGE_IDS),
  }),
  z.object({ kind: z.literal('everything') }),
]);

const bytesUpTo = (most: number) =>
  z.instanceof(Uint8Array<ArrayBuffer>).refine(({ byteLength }) => byteLength <= most);

const upload = {
  uploadId: z.string().min(1).max(100),
  name: z.string().min(1).max(1000),
  type: z.string().max(200),
};

export const UploadRequest: z.ZodType<Upload> = z.object(upload);

export const PictureRequest: z.ZodType<Picture> = z.object({
  ...upload,
  bytes: bytesUpTo(MAX_PICTURE_BYTES),
});

export const FilePiece: z.ZodType<Piece> = z.object({
  offset: z.int().min(0),
  bytes: bytesUpTo(MAX_PIECE_BYTES),
  isLast: z.boolean(),
});

export const SaveRequest: z.ZodType<Saved> = z.object({
  saveId: z.string().min(1).max(100),
  url: z.string().max(10_000),
  name: z.string().max(1000),
});

export const BackgroundUpload: z.ZodType<Left> = z.object({
  uploadId: z.string().min(1).max(100),
  name: z.string().min(1).max(1000),
  sizeBytes: z.int().min(0),
  view: z.union([StreamView, PrivateView]),
  at: z.int().min(0),
  share: z.number().min(0).max(1),
  failure: z.string().max(10_000),
});

export const HostRequest: z.ZodType<Host> = z.object({
  realmName: z.string(),
  fullName: z.string(),
  email: z.string(),
  password: z.string(),
  setupCode: z.string().optional(),
  staysSignedIn: z.boolean().optional(),
});

export const ConnectRequest: z.ZodType<Connect> = z.object({
  address: z.string(),
  email: z.string(),
  password: z.string(),
  newPassword: z.string().optional(),
  staysSignedIn: z.boolean().optional(),
  words: z.string().optional(),
});

export const JoinRequest: z.ZodType<Joining> = z.object({
  address: z.string().max(10_000),
  fullName: z.string().max(1000),
  email: z.string().max(1000),
  about: z.string().max(10_000),
  words: z.string().optional(),
});

export const PasswordLinkRequest: z.ZodType<LinkRequest> = z.object({
  address: z.string(),
  token: z.string(),
  password: z.string(),
  staysSignedIn: z.boolean().optional(),
  words: z.string().optional(),
});

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

export const InvitationRequest: z.ZodType<Acceptance> = z.object({
  ...joinLink,
  fullName: z.string(),
  password: z.string(),
  email: z.string().optional(),
  words: z.string().optional(),
  staysSignedIn: z.boolean().optional(),
});

export const NewStream: z.ZodType<Stream> = z.object({
  name: z.string(),
  description: z.string(),
  isPrivate: z.boolean(),
  userIds: z.array(z.int()),
});

export const NewPerson: z.ZodType<Colleague> = z.object({
  fullName: z.string(),
  email: z.string(),
  password: z.string(),
});
