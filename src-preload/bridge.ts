/** The bridge as the window and the process behind it import it: its types, and the names that both loop over. */
export type {
  Bridge,
  BridgeCalls,
  BridgeEvents,
  ExposedBridge,
  FirstAnswer,
  StartProblem,
  StartState,
} from '../src-main/bridge/bridge.ts';
export { isSameJson } from '../src-main/bridge/is-same-json.ts';
export { callNames, eventNames, firstAnswersChannel } from '../src-main/bridge/call-names.ts';
