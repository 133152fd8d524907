/** Without the given characters at its end. A pattern such as `/x+$/` looks at each run of them anew. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
