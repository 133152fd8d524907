/** From nothing to the first message of a colleague, at two windows on two computers. */
import { expect, test } from 'vitest';
import { joinLinkIn } from '../../src-main/bridge/join-link.ts';
import { Desk, type Hand } from '../support/network/desk.ts';
import type { Thing } from '../support/network/desk-process.ts';
import { Lan } from '../support/network/lan.ts';

const button = (name: string): Thing => ({ role: 'button', name });
const field = (name: string): Thing => ({ role: 'textbox', name });

/** Opens the application for the first time, and ends with what is passed on to a colleague. */
async function found(host: Desk): Promise<string> {
  await host.open();
  await host.use(button('Host an organization on this computer'));
  await host.fill(field('Organization name'), 'Lantern');
  await host.fill(field('Your name'), 'Mara Host');
  await host.fill(field('E-mail address'), 'mara@example.com');
  await host.fill(field('Password'), 'correct horse battery');
  await host.use(button('Create organization'));
  await host.use(button('Let others join'));
  await host.use(button('Copy invitation'));
  await host.reads('The invitation is copied.');
  await expect.poll(() => host.clipboard()).toMatch(/hearth:\S+/);
  return host.clipboard();
}

/** Opens the application for the first time, by a link. */
async function join(colleague: Desk, link: string): Promise<void> {
  await colleague.open(link);
  await colleague.fill(field('E-mail address'), 'ben@example.com');
  await colleague.fill(field('Your name'), 'Ben Colleague');
  await colleague.fill(field('Password'), 'another horse battery');
  await colleague.use(button('Join'));
  await colleague.sees({ role: 'navigation', name: 'Conversations' });
}

test.each<Hand>(['mouse', 'keyboard'])(
  'whoever hosts fills in four fields and a colleague three until they can write to each other, by %s alone',
  async (hand) => {
    const lan = await Lan.create();
    const host = await Desk.at(await lan.socket('10.77.0.1'), hand);
    const colleague = await Desk.at(await lan.socket('10.77.0.2'), hand);

    const invitation = await found(host);
    const hosting = host.effort();
    expect(hosting.inputs).toBe(4);
    expect(joinLinkIn(invitation)?.addresses).toContainEqual(
      expect.stringMatching(/^https:\/\/10\.77\.0\.1:/),
    );
    await host.lookAway();

    await join(colleague, /hearth:\S+/.exec(invitation)?.[0] ?? '');
    const joining = colleague.effort();
    expect(joining.inputs).toBe(3);

    await colleague.use(button('New private message'));
    await colleague.use({ role: 'checkbox', name: 'Mara Host' });
    await colleague.use(button('Open conversation'));
    await colleague.fill(field('Message'), 'I am in');
    await colleague.press('Enter');
    const writing = colleague.effort();

    await host.isNotified({ title: 'Ben Colleague', body: 'I am in' });
    await host.use(button('Ben Colleague'));
    await host.reads('I am in');
    // How long it takes says as much of the machine: it is told, and nothing depends on it.
    const efforts = { hosting, joining, writing, reading: host.effort() };
    process.stdout.write(`by ${hand}: ${JSON.stringify(efforts)}\n`);
  },
);
