import { tick } from 'svelte';
import type { Compose } from './compose.svelte.ts';
import type { ComposePort } from '../messages/message-actions.svelte.ts';
import type { Navigation } from '../places/navigation.svelte.ts';

/** What the message list does with the compose box. */
export const createComposePort = (
  compose: Pick<Compose, 'insert' | 'replyTo' | 'edit' | 'save'>,
  navigation: Pick<Navigation, 'go' | 'place'>,
): ComposePort => ({
  replyTo: (message) => {
    const destination = compose.replyTo(navigation.place, message);
    // The focus comes first: only what is put into a field that has it can be taken back with Ctrl+Z.
    return (text) =>
      void tick().then(() => {
        focusBox();
        compose.insert(destination, text);
      });
  },
  edit: async (draft, release) => {
    const undo = compose.edit(draft);
    const problem = (await compose.save(draft.conversation)) ?? (await release());
    if (problem === null) navigation.go(draft.conversation);
    else undo();
    return problem;
  },
  focus: () => {
    // The conversation that is to be written in may be on its way.
    void tick().then(focusBox);
  },
});

const focusBox = (): void =>
  document.querySelector<HTMLElement>('[data-region="compose"] textarea')?.focus();
