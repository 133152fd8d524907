/** What `bot_type` may be (API decisions 7.4). */
export const GENERIC_BOT = 1;
/** Its key may only send (API decisions 10.4). */
export const INCOMING_WEBHOOK_BOT = 2;
export const OUTGOING_WEBHOOK_BOT = 3;
export const EMBEDDED_BOT = 4;
