/** Properties that decide where a letter of a text field stands. */
const copied = [
  'direction',
  'inline-size',
  'padding-inline-start',
  'padding-inline-end',
  'font-family',
  'font-size',
  'font-weight',
  'letter-spacing',
  'word-spacing',
  'tab-size',
  'overflow-wrap',
] as const;

/** How far a place of the text stands from the left of the field, in CSS pixels; fields do not tell. */
export function caretLeft(field: HTMLTextAreaElement, at: number): number {
  const mirror = document.createElement('div');
  const style = getComputedStyle(field);
  for (const name of copied) mirror.style.setProperty(name, style.getPropertyValue(name));
  mirror.style.cssText +=
    'position:absolute;visibility:hidden;white-space:pre-wrap;box-sizing:border-box';
  mirror.textContent = field.value.slice(0, at);
  const mark = document.createElement('span');
  mark.textContent = field.value.slice(at) || '.';
  mirror.append(mark);
  document.body.append(mirror);
  const { offsetLeft } = mark;
  mirror.remove();
  return offsetLeft;
}
