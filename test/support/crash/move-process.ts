/**
 * Moves a topic in a process of its own that kills itself before one of the steps of the move. Arguments: the database's file, the
 * stream to move to, and the number of the step. It tells how many there were once the move is acknowledged.
 */
import process from 'node:process';
import { recordEdit } from '#service/features/messages/operations/edit-and-move.ts';
import type { Operation } from '#service/db/operation.ts';
import { openStore } from '#service/db/sqlite/open.ts';

const [file = '', streamId, killedAt] = process.argv.slice(2);
let steps = 0;

function* killed<T>(operation: Operation<T>): Operation<T> {
  let step = operation.next();
  while (step.done !== true) {
    if (steps === Number(killedAt)) process.kill(process.pid, 'SIGKILL');
    steps += 1;
    step = operation.next(yield step.value);
  }
  return step.value;
}

const move = {
  ...{ propagate: 'change_all' as const, streamId: Number(streamId) },
  ...{ topic: 'moved', topicKey: 'moved' },
};
const made = { editedAt: 1_700_000_100, content: null, move };

const store = await openStore({ file, commitMs: 0 });
await store.changeInParts((tx) =>
  killed(
    (function* () {
      const facts = yield* tx.editMessage({ messageId: 2, editorId: 1, ...made });
      const editor = { id: 1, email: 'user1@example.com' };
      yield* recordEdit(tx, facts, { editor, ...made }, { computeMac: () => 'proof' });
    })(),
  ),
);
process.send?.(steps);
// What it wrote is acknowledged: nothing that ends the store in order may be needed for it.
process.kill(process.pid, 'SIGKILL');
