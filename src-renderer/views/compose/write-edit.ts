import { applied, type TextEdit } from '#renderer/lib/writing/text-edit.ts';

/**
 * Makes a change as if it were typed, so that Ctrl+Z takes it back: nothing but this old command does so in a field.
 */
export function writeEdit(field: HTMLTextAreaElement, edit: TextEdit): void {
  field.focus();
  field.setSelectionRange(edit.from, edit.to);
  const wanted = applied(field.value, edit);
  const isNothing = edit.insert === '' && edit.from === edit.to;
  if (!isNothing) {
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    document.execCommand(edit.insert === '' ? 'delete' : 'insertText', false, edit.insert);
  }
  if (field.value !== wanted) {
    field.value = wanted;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  field.setSelectionRange(edit.start, edit.end);
}
