/** Why no window can be opened here; undefined where one can. */
export function whyNoScreen(): string | undefined {
  const isBlind =
    process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY'];
  return isBlind ? 'there is no screen here' : undefined;
}
