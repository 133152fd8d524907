/** The bridge as the window and the process behind it import it: its types, and the names that both loop over. */
export type {
  Bridge,
  BridgeCalls,
  BridgeEvents,
  StartProblem,
  StartState,
} from '../src-main/bridge/bridge.ts';
export { callNames, eventNames } from '../src-main/bridge/call-names.ts';
