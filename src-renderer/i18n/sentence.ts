/** What the service says ends without a full stop. */
export const sentence = (said: string): string => (/[.!?…]$/.test(said) ? said : `${said}.`);
