/** Runs before each file of the desktop suite: what it starts is in the session of its worker. */
import process from 'node:process';
import { inject } from 'vitest';

const worker = Number(process.env['VITEST_POOL_ID']);
Object.assign(process.env, inject('desktopSessions')[worker - 1]);
