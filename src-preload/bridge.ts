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
  start: 0,
  retryStart: 0,
  hostOrganization: 0,
  connect: 0,
  signOut: 0,
  realm: 0,
  connection: 0,
  messages: 0,
  sendMessage: 0,
  topics: 0,
  createStream: 0,
  createPerson: 0,
  showView: 0,
  openLink: 0,
} satisfies Record<keyof BridgeCalls, 0>;

const events = {
  messageArrived: 0,
  realmChanged: 0,
  connectionChanged: 0,
  messagesReset: 0,
  conversationOpened: 0,
} satisfies Record<keyof BridgeEvents, 0>;

export const callNames = Object.keys(calls) as readonly (keyof BridgeCalls)[];
export const eventNames = Object.keys(events) as readonly (keyof BridgeEvents)[];
