/** What a person does in the window, by the roles and names that it shows. */
import type { Locator, Page } from 'playwright';

export const sidebar = (page: Page): Locator =>
  page.getByRole('navigation', { name: 'Conversations' });
export const main = (page: Page): Locator => page.getByRole('main');
export const rail = (page: Page): Locator =>
  page.getByRole('navigation', { name: 'Organizations' });

const escaped = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
const startsWith = (name: string): RegExp => new RegExp(`^${escaped(name)}(?=$|[\\s,\\d])`);

/** A row of the left column; what is unread follows its name. */
export const row = (page: Page, name: string): Locator =>
  sidebar(page).getByRole('button', { name: startsWith(name) });

export const organization = (page: Page, name: string): Locator =>
  rail(page).getByRole('button', { name: startsWith(name) });

export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { level: 1, name });

/** The path of the file that a content links to; empty where there is none. */
export const filePathIn = (content: string): string =>
  /\((\/user_uploads\/[^)]+)\)/.exec(content)?.[1] ?? '';

export const composeBox = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' });

/** Opens a topic by the left column. */
export async function openTopic(page: Page, stream: string, topic: string): Promise<void> {
  await row(page, stream).click();
  await row(page, topic).click();
  await heading(page, topic).waitFor();
}

/** Opens a view, a stream or a conversation by the left column. */
export async function open(page: Page, name: string): Promise<void> {
  await row(page, name).click();
  await heading(page, name).waitFor();
}

/** Writes into the open conversation. */
export async function send(page: Page, content: string): Promise<void> {
  const box = composeBox(page);
  await box.fill(content);
  await box.press('Enter');
}

/** A message of the open view, by a part of its text. */
export const message = (page: Page, text: string): Locator =>
  main(page)
    .getByRole('list', { name: 'Messages' })
    .getByRole('listitem')
    .filter({ hasText: text });

export const toolOf = (page: Page, text: string, tool: string): Locator =>
  message(page, text).getByRole('button', { name: tool, exact: true });

/** Uses a button that a message shows under the pointer. */
export async function press(page: Page, text: string, tool: string): Promise<void> {
  await message(page, text).hover();
  await toolOf(page, text, tool).click();
}

/** Chooses from the menu of a message. */
export async function act(page: Page, text: string, action: string): Promise<void> {
  await press(page, text, 'More actions');
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** Chooses from the menu of a row of the left column. */
export async function actOnRow(page: Page, name: string, action: string): Promise<void> {
  await row(page, name).hover();
  await sidebar(page)
    .getByRole('button', { name: `Actions for ${name}`, exact: true })
    .click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** Opens a page of the settings by the account menu: its dialog. */
export async function openSettings(page: Page, tab: string): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name: 'Settings', exact: true });
  if (!(await dialog.isVisible())) {
    await page.getByRole('button', { name: /^Account of / }).click();
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
  }
  await dialog.getByRole('tab', { name: tab, exact: true }).click();
  await dialog.getByRole('heading', { level: 3, name: tab }).waitFor();
  return dialog;
}

export async function closeDialog(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Close', exact: true }).first().click();
  await dialog.waitFor({ state: 'detached' });
}

/** Signs in at an organization from the form for its address. */
export async function signIn(
  page: Page,
  { origin, email, password }: { origin: string; email: string; password: string },
): Promise<void> {
  await page.getByLabel('Address', { exact: true }).fill(origin);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** What the left column says about the connection. */
export const freshness = (page: Page): Locator => sidebar(page).getByRole('status').first();
