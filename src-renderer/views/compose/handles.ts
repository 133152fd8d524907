/** What the parts of the compose box do for what is around them. */
export type FormatName = 'bold' | 'italic' | 'strike' | 'code' | 'quote' | 'list' | 'link';

export interface Focusable {
  readonly focus: () => void;
}

export interface TextBoxHandle extends Focusable {
  /** Where the caret stands, in UTF-16 code units. */
  readonly caret: () => number;
  readonly insert: (text: string) => void;
  readonly format: (name: FormatName) => void;
}

export interface WritingFieldHandle extends TextBoxHandle {
  /** Whether the caret is in a block of code that nothing has closed. */
  readonly isInFence: () => boolean;
}

export interface ComposerHandle {
  readonly focusBox: () => void;
  /** Once it was chosen where to write: the next field on the way. */
  readonly focusNext: () => void;
  readonly attach: (files: readonly File[]) => void;
}
