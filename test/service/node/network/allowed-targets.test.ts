import { networkInterfaces } from 'node:os';
import { describe, expect, onTestFinished, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { requestTargetChange } from '#hosting/commands/command-socket.ts';
import { isAllowable, parseTarget } from '#node/network/allowed-targets.ts';
import { ownAddresses } from '#node/network/own-addresses.ts';
import { createWebClient } from '#node/network/web-client.ts';
import { ada, startTestService } from '#test/support/service/api.ts';
import { HookServer } from '#test/support/service/hook-server.ts';

/** An address of this computer in its network. */
const own = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

describe('what may be written', () => {
  test.each([
    ['Jenkins.LAN:8080', 'jenkins.lan:8080'],
    [' 10.1.0.7:443 ', '10.1.0.7:443'],
    ['10.1.0.0/24:443', '10.1.0.0/24:443'],
    ['[FD00::7]:80', '[fd00::7]:80'],
    ['[fd00::/64]:80', '[fd00::/64]:80'],
  ])('%j is %s', (written, text) => {
    expect(parseTarget(written).text).toBe(text);
  });

  test.each([
    ...['', 'jenkins.lan', 'jenkins.lan:0', 'jenkins.lan:65536', 'http://jenkins.lan:80', 'a b:80'],
    ...['*.lan:80', '10.1.0.0/33:80', '10.0.0.0/7:80', '0.0.0.0/0:80', '[::/0]:80', '10.1.7:80'],
    ...['0x7f000001:80', '2130706433:80', 'jenkins.lan/24:80', 'fd00::7:80', '[10.1.0.7]:80'],
    ...['localhost:80', 'a.localhost:80', '127.0.0.1:80', '127.0.0.0/8:80', '[::1]:80', '[::]:80'],
    ...['169.254.169.254:80', '[fd00:ec2::254]:80', '[fe80::1]:80', '[::ffff:127.0.0.1]:80'],
    ...['100.100.100.200:80', '224.0.0.1:80', '255.255.255.255:80', '[64:ff9b::7f00:1]:80'],
  ])('%j is refused with a sentence that begins with it', (written) => {
    expect(() => parseTarget(written)).toThrow(`${written}: `);
  });
});

test.each([
  ['10.1.0.7', true],
  ['fd00::7', true],
  ['127.0.0.1', false],
  ['::1', false],
  ['::ffff:10.1.0.7', false],
  ['169.254.1.1', false],
  ['fe80::1', false],
  ['169.254.169.254', false],
  ['fd00:ec2::254', false],
  ['0.0.0.0', false],
  ['no address', false],
])(
  'of what is connected to, %s may be allowed: %s [inside-targets.connected-allowed]',
  (address, may) => {
    expect(isAllowable({ address, port: 80 }, [9981], {})).toBe(may);
  },
);

const request = {
  ...{ headers: {}, body: '{}', timeoutMs: 5000, maxBytes: 1000 },
  signal: new AbortController().signal,
};

test.skipIf(own === undefined)(
  'a target opens its port alone, never loopback by a name that leads there, and not the service itself [inside-targets.opens-port-never]',
  async () => {
    const server = new HookServer();
    await server.start('0.0.0.0');
    onTestFinished(() => server.stop());
    const port = String(server.port);
    const at = `http://${own ?? ''}:${port}/`;
    const posting = async (url: string, targets: readonly string[], servicePorts = [1]) => {
      const inside = { targets: () => targets.map(parseTarget), servicePorts: () => servicePorts };
      const web = createWebClient({ allowPrivateAddresses: false, inside });
      return web.post(url, request);
    };
    const taken = posting(at, [`${own ?? ''}:${port}`]);
    (await server.next()).answer({});
    expect(await taken).toMatchObject({ kind: 'answered' });
    const why = 'not an address on the public internet';
    const saying = (reason: string) => ({
      kind: 'refused',
      reason: expect.stringMatching(reason) as string,
    });
    const allowed = saying(
      `${why}\\. .* webhook-targets ${own ?? ''}:${port} or under Settings, Office$`,
    );
    // Nobody is told to allow what nobody may.
    const refused = saying(`${why}$`);
    expect(await posting(at, [])).toEqual(allowed);
    expect(await posting(at, [`${own ?? ''}:1`])).toEqual(allowed);
    expect(await posting(at, [`${own ?? ''}/24:${port}`], [server.port])).toEqual(refused);
    // Whoever may let an allowed name lead anywhere does not come to loopback with it.
    const covering = { text: '', host: null, port: server.port, covers: () => true };
    const inside = { targets: () => [covering], servicePorts: () => [] };
    const web = createWebClient({ allowPrivateAddresses: false, inside });
    expect(await web.post(`http://localhost:${port}/`, request)).toEqual(refused);
    expect(server.waiting).toBe(0);
  },
);

test.skipIf(own === undefined)(
  'what is allowed at the computer is reached, kept over a restart, in the audit log, and taken away again [inside-targets.allowed-computer-reached]',
  async () => {
    const server = new HookServer();
    await server.start('0.0.0.0');
    const service = await startTestService();
    onTestFinished(async () => {
      await service.stop();
      await server.stop();
    });
    const bot = await service.ask(ada, api.bots.create, {
      ...{ full_name: 'Oracle', short_name: 'oracle', bot_type: 3 },
      payload_url: `http://${own ?? ''}:${String(server.port)}/hook`,
    });
    const target = `${own ?? ''}:${String(server.port)}`;
    const change = (allow: readonly string[], remove: readonly string[] = []) =>
      requestTargetChange(service.dataDir, { allow, remove });
    await expect(change([target, '127.0.0.1:80'])).rejects.toThrow('127.0.0.1:80: ');
    await expect(change([], [target])).rejects.toThrow('not allowed anyway');
    expect(await change([])).toEqual([]);
    expect(await change([target])).toEqual([target]);
    await service.restart();
    expect(await change([])).toEqual([target]);
    await service.tell(ada, [bot.email], 'who is there?');
    (await server.next()).answer({ content: 'the office' });
    const servicePort = new URL(service.origin).port;
    for (const itself of [own ?? '', ...ownAddresses().names]) {
      const sentence = `${itself}:${servicePort}: this is the service itself`;
      await expect(change([`${itself}:${servicePort}`])).rejects.toThrow(sentence);
    }
    const around = `${own ?? ''}/24:${servicePort}`;
    expect(await change([around], [target])).toEqual([around]);
    const { entries } = await service.ask(ada, api.auditLog.list, {
      types: ['webhook_target_allowed', 'webhook_target_removed'],
    });
    expect(entries.map(({ type, details, actor_id: by }) => [type, details.name, by])).toEqual([
      ['webhook_target_removed', target, null],
      ['webhook_target_allowed', around, null],
      ['webhook_target_allowed', target, null],
    ]);
  },
);
