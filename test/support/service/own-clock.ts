/**
 * Loaded into a service before its own code (`node --import`): its clock stands where its parent sets it, so that what
 * happens there happens at moments that are the same every time.
 */
let nowMs = 0;

Date.now = () => nowMs;
process.on('message', (atMs) => {
  nowMs = Number(atMs);
  process.send?.('set');
});
// Signals and the end of its work decide when it ends, not this line to its parent.
process.channel?.unref();
