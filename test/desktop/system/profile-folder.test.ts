import { writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findProfileProblem } from '#desktop/storage/profile-folder.ts';
import { createProfile, openAgain } from '#test/support/desktop/desktop-app.ts';
import { temporaryDir } from '#test/support/service/store.ts';

test('a profile that cannot be written is named, and the start fails', async () => {
  const file = join(temporaryDir(), 'file');
  writeFileSync(file, '');
  const profile = { ...(await createProfile()), dir: join(file, 'profile') };
  const { code, stderr } = await openAgain(profile, ['--hidden']);
  expect(stderr).toContain(`Hearth cannot write to its folder ${profile.dir} (ENOTDIR).`);
  expect(code).toBe(1);
});

test('one that can be written is made, and nothing stays in it', async () => {
  const dir = join(temporaryDir(), 'one', 'profile');
  expect(findProfileProblem(dir)).toBeUndefined();
  expect(await readdir(dir)).toEqual([]);
});
