import type { Browser } from 'playwright';
import type { Office } from '../life/office.ts';
import { screensOf } from './index.ts';
import { calm, openStage, signIn, type Screen, type Stage, type StageOptions } from './stage.ts';

export interface Walk extends StageOptions {
  readonly office: Office;
  /** Where no organization is yet. */
  readonly newOrigin: string;
  /** Default: all. */
  readonly only?: (screen: Screen) => boolean;
  /** The screen is shown, and stays until it settles. */
  readonly visit: (screen: Screen, stage: Stage) => Promise<void>;
}

/**
 * Goes through every screen in one tab, as a person would. A screen that cannot be reached does not keep the others
 * from being looked at: what went wrong is thrown at the end.
 */
export async function walk(browser: Browser, options: Walk): Promise<void> {
  const stage = await openStage(browser, options.office, options);
  const problems: Error[] = [];
  let isSignedIn = false;
  for (const screen of screensOf(options.office)) {
    if (options.only?.(screen) === false) continue;
    try {
      await enter(screen, stage, options, isSignedIn);
      isSignedIn = screen.start === 'signed-in';
      await screen.open(stage);
      await options.visit(screen, stage);
      await screen.leave?.(stage);
    } catch (error) {
      const where = `at the screen ${screen.name}, ${String(options.width)} px wide`;
      problems.push(new Error(`${where}: ${String(error)}`, { cause: error }));
      await recover(stage);
    }
  }
  await stage.context.close();
  if (problems.length > 0) throw new AggregateError(problems, problems.map(String).join('\n'));
}

async function enter(
  { start }: Screen,
  stage: Stage,
  { office, newOrigin }: Walk,
  isSignedIn: boolean,
): Promise<void> {
  if (start === 'new-service') await stage.page.goto(newOrigin);
  else if (start === 'signed-out') await stage.page.goto(office.origin);
  else if (isSignedIn) await calm(stage.page);
  else await signIn(stage);
}

async function recover({ page }: Stage): Promise<void> {
  await page.context().setOffline(false);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.reload();
}
