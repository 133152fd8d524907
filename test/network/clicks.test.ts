/** From nothing to the first message of a colleague, or to an account that somebody asked for, at two windows on two computers. */
import { expect, test } from 'vitest';
import { joinLinkIn } from '#shared/join-link.ts';
import { Desk, type Hand } from '../support/network/desk.ts';
import type { Thing } from '../support/network/desk-process.ts';
import { Lan } from '../support/network/lan.ts';

const button = (name: string): Thing => ({ role: 'button', name });
const field = (name: string): Thing => ({ role: 'textbox', name });

/** Opens the application for the first time, and ends where others in the network can join. */
async function found(host: Desk): Promise<void> {
  await host.open();
  await host.use(button('Host an organization on this computer'));
  await host.backfill(field('Organization name'), 'Lantern');
  await host.backfill(field('Your name'), 'Mara Host');
  await host.backfill(field('E-mail address'), 'mara@example.com');
  await host.backfill(field('Password'), 'correct horse battery');
  await host.use(button('Create organization'));
  await host.use(button('Let others join'));
}

/** What is passed on to a colleague. */
async function invite(host: Desk): Promise<string> {
  await host.use(button('Copy invitation'));
  await host.reads('The invitation is copied.');
  await expect.poll(() => host.clipboard()).toMatch(/hearth:\S+/);
  return host.clipboard();
}

/** Opens the application for the first time, by a link. */
async function join(colleague: Desk, link: string): Promise<void> {
  await colleague.open(link);
  await colleague.backfill(field('E-mail address'), 'ben@example.com');
  await colleague.backfill(field('Your name'), 'Ben Colleague');
  await colleague.backfill(field('Password'), 'another horse battery');
  await colleague.use(button('Join'));
  await colleague.sees({ role: 'navigation', name: 'Conversations' });
}

test.each<Hand>(['mouse', 'keyboard'])(
  'whoever hosts fills in four fields and a colleague three until they can write to each other, by %s alone',
  async (hand) => {
    const lan = await Lan.create();
    const host = await Desk.at(await lan.socket('10.77.0.1'), hand);
    const colleague = await Desk.at(await lan.socket('10.77.0.2'), hand);

    await found(host);
    const invitation = await invite(host);
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
    await colleague.backfill(field('Message'), 'I am in');
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

test('somebody without an account finds the organization in the network, asks and closes Hearth, and is in once an administrator has accepted', async () => {
  const lan = await Lan.create();
  const [host, newcomer] = await Promise.all([
    Desk.at(await lan.socket('10.77.0.1'), 'mouse'),
    Desk.at(await lan.socket('10.77.0.2'), 'mouse'),
  ]);
  await Promise.all([found(host), newcomer.open()]);
  await host.use(button('Office settings'));
  const identity = await host.textOf({ role: 'region', name: 'Safety words' });
  const safetyWords = /^[a-z]+( [a-z]+)+$/m.exec(identity)?.[0] ?? 'none';
  await host.press('Escape');

  await newcomer.use(button('Connect to'));
  await newcomer.use(button('Lantern'));
  await newcomer.use(button('Ask to join'));
  await newcomer.backfill(field('Your name'), 'Nia Newcomer');
  await newcomer.backfill(field('E-mail address'), 'nia@example.com');
  await newcomer.use(button('Send request'));
  await newcomer.use(button(safetyWords));
  await newcomer.sees({ role: 'heading', name: 'You asked to join Lantern' });
  const [number = 'none'] = /\d{4}/.exec(await newcomer.textOf({ role: 'main', name: '' })) ?? [];
  await newcomer.close();
  await host.use(button('Look at it'));
  await host.reads(`Number ${number}`);
  await host.use(button('Accept the request of Nia Newcomer'));
  await host.reads('Nobody asks to join.');

  await newcomer.open();
  await newcomer.backfill(field('Password'), 'another horse battery');
  await newcomer.use(button('Join'));
  await newcomer.sees({ role: 'navigation', name: 'Conversations' });
  await newcomer.use(button('general'));
  await newcomer.sees({ role: 'heading', name: 'general' });
  const asking = newcomer.effort();
  expect(asking.inputs).toBe(3);
  process.stdout.write(`asking: ${JSON.stringify(asking)}\n`);
});
