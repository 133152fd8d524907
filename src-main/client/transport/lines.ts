/** Puts the lines of an answer together from the pieces in which it comes. */
export function createLines(take: (lines: readonly string[]) => void): (piece: string) => void {
  let rest = '';
  return (piece) => {
    const end = piece.lastIndexOf('\n');
    if (end === -1) {
      rest += piece;
      return;
    }
    const whole = rest + piece.slice(0, end);
    rest = piece.slice(end + 1);
    take(whole.split('\n'));
  };
}
