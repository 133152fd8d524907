/** Runs before each file: modules are loaded once for many of them, and so are the hooks in them. */
import { afterEach } from 'vitest';
import { cleanUp } from './service-process.ts';

afterEach(cleanUp);
