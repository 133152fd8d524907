/** The bridge as the sides of it import it: its types, and the one list of names that all of them loop over. */
import type { BridgeCalls, BridgeEvents } from '../src-main/contract/bridge.ts';

export type {
  Bridge,
  BridgeCalls,
  BridgeEvents,
  StartProblem,
  StartState,
} from '../src-main/contract/bridge.ts';

const calls = {
  preferences: 0,
  setPreferences: 0,
  keepPlace: 0,
  keptPlace: 0,
  pageReady: 0,
  readyToClose: 0,
  start: 0,
  retryStart: 0,
  hostOrganization: 0,
  connect: 0,
  signOut: 0,
  state: 0,
  connection: 0,
  messages: 0,
  recent: 0,
  sendMessage: 0,
  retryMessage: 0,
  takeMessageBack: 0,
  saveDraft: 0,
  markRead: 0,
  markUnreadFrom: 0,
  star: 0,
  source: 0,
  topics: 0,
  createStream: 0,
  createPerson: 0,
  request: 0,
  requestWithFile: 0,
  upload: 0,
  cancelUpload: 0,
  leaveUploads: 0,
  takeUploads: 0,
  uploadOutcome: 0,
  file: 0,
  cacheStatus: 0,
  clearCache: 0,
  ledger: 0,
  playSound: 0,
  testNotification: 0,
  showView: 0,
  openLink: 0,
} satisfies Record<keyof BridgeCalls, 0>;

const events = {
  preferencesChanged: 0,
  commandRun: 0,
  linkOpened: 0,
  connectSuggested: 0,
  windowClosing: 0,
  messagesArrived: 0,
  messagesChanged: 0,
  messagesRemoved: 0,
  stateChanged: 0,
  connectionChanged: 0,
  messagesReset: 0,
  cacheChanged: 0,
  uploadProgress: 0,
  conversationOpened: 0,
} satisfies Record<keyof BridgeEvents, 0>;

export const callNames = Object.keys(calls) as readonly (keyof BridgeCalls)[];
export const eventNames = Object.keys(events) as readonly (keyof BridgeEvents)[];
