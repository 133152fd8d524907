/** Hands bytes to the person as a file; they choose where it goes. */
export function saveFile(name: string, ...parts: readonly BlobPart[]): void {
  // As plain bytes, so that the browser keeps it and opens nothing.
  const blobUrl = URL.createObjectURL(new Blob([...parts], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = blobUrl;
  link.download = name;
  link.click();
  // The browser needs the bytes until it has begun to write them.
  setTimeout(() => URL.revokeObjectURL(blobUrl), 60_000);
}
