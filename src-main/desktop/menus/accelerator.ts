const modifiers = /^(CommandOrControl|CmdOrCtrl|Command|Cmd|Control|Ctrl|Alt|Option|Super|Meta)$/i;
const keys =
  /^([A-Z0-9]|F([1-9]|1\d|2[0-4])|Space|Tab|Backspace|Delete|Insert|Return|Enter|Up|Down|Left|Right|Home|End|PageUp|PageDown|Escape|Esc|[[\]',./;\\`=-]|Plus)$/i;

/**
 * Whether a key may be taken from all other programs: one with a modifier besides Shift, or a function key. Electron
 * would drop a modifier that it does not know and take the bare key, with which people write.
 */
export function isGlobalKey(accelerator: string): boolean {
  const parts = accelerator.split('+');
  const key = parts.at(-1) ?? '';
  const held = parts.slice(0, -1).filter((part) => part.toLowerCase() !== 'shift');
  if (!keys.test(key) || !held.every((part) => modifiers.test(part))) return false;
  return held.length > 0 || /^F\d/i.test(key);
}
