export interface PasswordLink {
  /** The organization's. */
  readonly address: string;
  readonly token: string;
}

const form = /^(.+?)\/?#password\/(\d{1,15}-[A-Za-z0-9]{32})$/;

/** A link with which somebody chooses a new password, as the service makes them; null for any other text. */
export function passwordLinkIn(text: string): PasswordLink | null {
  const [, address, token] = form.exec(text.trim()) ?? [];
  return address === undefined || token === undefined ? null : { address, token };
}
