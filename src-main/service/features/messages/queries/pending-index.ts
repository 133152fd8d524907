/** What waits for the search index, which may hold a message otherwise than it is now. */

/** It has changed again: what the index has seen of it until now does not settle it. */
export const WAIT_AGAIN = 'ON CONFLICT DO UPDATE SET version = version + 1';
export const INSERT_PENDING = `INSERT INTO search_pending (message_id) VALUES (:id) ${WAIT_AGAIN}`;
