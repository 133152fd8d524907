import { fileURLToPath } from 'node:url';

if (process.argv[2] === 'serve') {
  // The word is no option of the service.
  process.argv.splice(2, 1);
  await import('./serve.js');
} else {
  const entry = new URL('../src-main/cli/hearth.ts', import.meta.url);
  process.argv[1] = fileURLToPath(entry);
  await import(entry.href);
}
