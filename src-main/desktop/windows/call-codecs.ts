import { z } from 'zod';
import type { BridgeCalls } from '#preload/bridge.ts';
import {
  CheckSubject,
  ConnectRequest,
  Draft,
  HostRequest,
  InvitationRequest,
  JoinLink,
  JoinRequest,
  BackgroundUpload,
  FilePiece,
  MessagePageRequest,
  NewPerson,
  NewStream,
  PasswordLinkRequest,
  PictureRequest,
  ReadTarget,
  SaveRequest,
  StoredDraft,
  UploadRequest,
  View,
} from '#shared/bridge/models/client-codecs.ts';
import { soundNames } from '#shared/bridge/models/notifications.ts';
import { fileRequestable, requestable } from '#shared/bridge/requestable.ts';
import { PreferencesPatch } from '#shared/bridge/models/preferences.ts';
import { SavedPlace } from '#shared/bridge/models/shell.ts';

const AccountId = z.string().min(1).max(1000);
/** A local id, an upload's id or the key of a view. */
const Key = z.string().min(1).max(100_000);
/** Whoever makes the call checks them by the endpoint's own codecs. */
const Arguments = z.record(z.string(), z.unknown());
const Url = z.string().max(10_000);
/** Words, as somebody typed them. */
const Typed = z.string().max(10_000);

export type CallCodecs = {
  readonly [K in keyof BridgeCalls]: z.ZodType<Parameters<BridgeCalls[K]>>;
};

const { uploadId } = UploadRequest.shape;
/** How the preload script hands a file over. */
export const heldPath = z.tuple([uploadId, z.string().min(1).max(100_000)]);
export const heldPiece = z.tuple([uploadId, FilePiece]);

/** What each call accepts; a window sends nothing else, so anything else is refused as a bug. */
export const callCodecs: CallCodecs = {
  preferences: z.tuple([]),
  setPreferences: z.tuple([PreferencesPatch]),
  savePlace: z.tuple([SavedPlace]),
  savedPlace: z.tuple([]),
  pageReady: z.tuple([]),
  readyToClose: z.tuple([]),
  reportActivity: z.tuple([]),
  hosting: z.tuple([]),
  startHosting: z.tuple([z.int().min(1).max(65_535).nullable()]),
  makePasswordLinkHere: z.tuple([z.string().min(1).max(1000)]),
  networkAccess: z.tuple([]),
  openToNetwork: z.tuple([z.boolean()]),
  allowNetwork: z.tuple([z.string().min(1).max(200), z.boolean()]),
  checkAddresses: z.tuple([]),
  webhookTargets: z.tuple([
    z.object({ allow: z.string().max(300).nullable(), remove: z.string().max(300).nullable() }),
  ]),
  saveAuthority: z.tuple([AccountId]),
  backups: z.tuple([]),
  backUpNow: z.tuple([]),
  chooseBackupFolder: z.tuple([]),
  saveCopy: z.tuple([z.boolean()]),
  setBackupTime: z.tuple([
    z.object({ hours: z.int().min(0).max(23), minutes: z.int().min(0).max(59) }),
  ]),
  postponeBackups: z.tuple([]),
  recoveryCode: z.tuple([z.boolean()]),
  confirmRecoveryCode: z.tuple([Typed]),
  reportKeysStolen: z.tuple([Typed]),
  chooseArchive: z.tuple([]),
  inspectArchive: z.tuple([Typed]),
  restoreArchive: z.tuple([
    z.object({ keepsKeys: z.boolean(), isStolen: z.boolean(), acceptsDamage: z.boolean() }),
  ]),
  missing: z.tuple([]),
  openRestored: z.tuple([]),
  unlockHosting: z.tuple([Typed]),
  startHostingWithNewKeys: z.tuple([]),
  migrationSource: z.tuple([]),
  createTransferCode: z.tuple([]),
  confirmMigration: z.tuple([z.string().max(10)]),
  cancelMigration: z.tuple([]),
  migrationTarget: z.tuple([]),
  startMigration: z.tuple([z.object({ code: Typed.nullable(), opensToNetwork: z.boolean() })]),
  stopMigration: z.tuple([]),
  start: z.tuple([]),
  retryStart: z.tuple([]),
  hostOrganization: z.tuple([HostRequest]),
  connect: z.tuple([ConnectRequest]),
  nearbyOrganizations: z.tuple([]),
  choosePassword: z.tuple([PasswordLinkRequest]),
  requestToJoin: z.tuple([JoinRequest]),
  pendingJoinRequests: z.tuple([]),
  dropJoinRequest: z.tuple([]),
  invitation: z.tuple([JoinLink, z.string().max(1000).nullable()]),
  acceptInvitation: z.tuple([InvitationRequest]),
  signOut: z.tuple([AccountId]),
  state: z.tuple([AccountId]),
  connection: z.tuple([AccountId]),
  checkConnection: z.tuple([CheckSubject]),
  messages: z.tuple([AccountId, MessagePageRequest]),
  recent: z.tuple([AccountId]),
  sendMessage: z.tuple([AccountId, Draft, Key.nullable()]),
  retryMessage: z.tuple([AccountId, Key]),
  withdrawMessage: z.tuple([AccountId, Key]),
  saveDraft: z.tuple([AccountId, StoredDraft]),
  markRead: z.tuple([AccountId, ReadTarget]),
  markUnreadFrom: z.tuple([AccountId, View, z.int()]),
  star: z.tuple([AccountId, z.int(), z.boolean()]),
  source: z.tuple([AccountId, z.int()]),
  topics: z.tuple([AccountId, z.int()]),
  findTopics: z.tuple([AccountId, Typed]),
  createStream: z.tuple([AccountId, NewStream]),
  createPerson: z.tuple([AccountId, NewPerson]),
  request: z.tuple([AccountId, z.enum(requestable), Arguments]),
  requestWithFile: z.tuple([AccountId, z.enum(fileRequestable), Arguments, PictureRequest]),
  upload: z.tuple([AccountId, UploadRequest]),
  cancelUpload: z.tuple([Key]),
  cancelSave: z.tuple([Key]),
  noteUploads: z.tuple([AccountId, z.array(BackgroundUpload).max(1000)]),
  resumeUploads: z.tuple([AccountId]),
  lostMessages: z.tuple([AccountId]),
  reuploadLost: z.tuple([AccountId]),
  declineLost: z.tuple([AccountId]),
  uploadOutcome: z.tuple([AccountId, Key]),
  retryUpload: z.tuple([AccountId, Key]),
  file: z.tuple([AccountId, Url]),
  saveFile: z.tuple([AccountId, SaveRequest]),
  exportMessages: z.tuple([AccountId]),
  cacheStatus: z.tuple([AccountId]),
  clearCache: z.tuple([AccountId]),
  notificationLog: z.tuple([]),
  playSound: z.tuple([z.enum(soundNames)]),
  testNotification: z.tuple([AccountId]),
  showView: z.tuple([AccountId, View.nullable()]),
  openLink: z.tuple([Url]),
};
