/** How much that is, as people say it. */
export const size = (bytes: number): string => {
  const mebibytes = bytes / 1024 ** 2;
  if (mebibytes > 0 && mebibytes < 0.1) return `${Math.ceil(bytes / 1024).toFixed(0)} KiB`;
  if (mebibytes >= 1024) return `${(mebibytes / 1024).toFixed(1)} GiB`;
  return `${mebibytes < 10 ? mebibytes.toFixed(1) : mebibytes.toFixed(0)} MiB`;
};
