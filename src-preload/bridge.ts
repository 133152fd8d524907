/** The bridge as the window and the process behind it import it: its types, and the names that both loop over. */
export type {
  Bridge,
  BridgeCalls,
  BridgeEvents,
  ExposedBridge,
  FirstAnswer,
  StartProblem,
  StartState,
} from '#shared/bridge/bridge.ts';
export type { FilePiece } from '#shared/bridge/models/client.ts';
export { isSameJson } from '#shared/text/same-json.ts';
export {
  callNames,
  eventNames,
  firstAnswersChannel,
  heldPathChannel,
  heldPieceChannel,
} from '#shared/bridge/call-names.ts';
