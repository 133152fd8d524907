/** Puts the lines of an answer together from the pieces in which it comes. */
export function createLines<T>(
  take: (lines: readonly string[]) => T,
): (piece: string) => T | undefined {
  let rest = '';
  return (piece) => {
    const end = piece.lastIndexOf('\n');
    if (end === -1) {
      rest += piece;
      return undefined;
    }
    const whole = rest + piece.slice(0, end);
    rest = piece.slice(end + 1);
    return take(whole.split('\n'));
  };
}
