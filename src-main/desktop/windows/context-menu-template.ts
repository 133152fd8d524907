import type { MenuItemConstructorOptions } from 'electron';

/** The facts of a click with the secondary button that the menu follows. */
export interface Clicked {
  readonly isEditable: boolean;
  readonly selectionText: string;
  /** Empty unless it leads out of the application: elsewhere the address of any other link means nothing. */
  readonly linkURL: string;
  readonly mediaType: string;
  readonly misspelledWord: string;
  readonly dictionarySuggestions: readonly string[];
  readonly editFlags: {
    readonly canUndo: boolean;
    readonly canCut: boolean;
    readonly canCopy: boolean;
    readonly canPaste: boolean;
    readonly canSelectAll: boolean;
  };
}

export interface ContextActions {
  readonly replace: (word: string) => void;
  readonly addToDictionary: (word: string) => void;
  readonly copyLink: (url: string) => void;
  readonly openLink: (url: string) => void;
  readonly copyImage: () => void;
}

type Item = MenuItemConstructorOptions;
const separator: Item = { type: 'separator' };

/** Empty where there is nothing to do. */
export function contextMenu(clicked: Clicked, actions: ContextActions): Item[] {
  const groups = [
    spelling(clicked, actions),
    link(clicked, actions),
    clicked.mediaType === 'image' ? [{ label: 'Copy image', click: actions.copyImage }] : [],
    text(clicked),
  ].filter((group) => group.length > 0);
  return groups.flatMap((group, index) => (index === 0 ? group : [separator, ...group]));
}

function spelling(
  { misspelledWord, dictionarySuggestions }: Clicked,
  { replace, addToDictionary }: ContextActions,
): Item[] {
  if (misspelledWord === '') return [];
  const suggestions: Item[] = dictionarySuggestions.map((word) => ({
    label: word,
    click: () => replace(word),
  }));
  const none: Item[] = [{ label: 'No suggestions', enabled: false }];
  return [
    ...(suggestions.length > 0 ? suggestions : none),
    { label: 'Add to dictionary', click: () => addToDictionary(misspelledWord) },
  ];
}

function link({ linkURL }: Clicked, { copyLink, openLink }: ContextActions): Item[] {
  if (linkURL === '') return [];
  return [
    { label: 'Open link', click: () => openLink(linkURL) },
    { label: 'Copy link', click: () => copyLink(linkURL) },
  ];
}

function text({ isEditable, selectionText, editFlags }: Clicked): Item[] {
  const copy: Item = { role: 'copy', enabled: editFlags.canCopy };
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy];
  return [
    { role: 'undo', enabled: editFlags.canUndo },
    separator,
    { role: 'cut', enabled: editFlags.canCut },
    copy,
    { role: 'paste', enabled: editFlags.canPaste },
    { role: 'pasteAndMatchStyle', enabled: editFlags.canPaste },
    { role: 'selectAll', enabled: editFlags.canSelectAll },
  ];
}
