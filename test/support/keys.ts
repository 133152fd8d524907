/** How the chords that keys.ts lists are pressed in a browser that a test drives. */
const names: Readonly<Record<string, string>> = { Ctrl: 'Control', '1…9': '1', '.': 'Period' };

export function pressed(chord: string): string {
  const parts = chord === '+' ? [chord] : chord.split('+');
  const hasShift = parts.includes('Shift');
  return parts
    .map((part) => {
      if (/^[A-Z]$/.test(part)) return hasShift ? part : part.toLowerCase();
      return names[part] ?? part;
    })
    .join('+');
}
