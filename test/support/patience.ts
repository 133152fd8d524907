/*
 * Waiting ends when the thing is there. How long it may take says nothing of the product: a machine that runs the suites beside
 * each other may be four times as slow in one hour as in another.
 */

/** How long anything may take that a test waits for. */
export const WAIT_LIMIT_MS = 60_000;

/** How long a whole test may take: one that hangs is the exception, and costs only its own time. */
export const TEST_LIMIT_MS = 300_000;
