import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import configuration from '#electron-builder.ts';
import { icnsSizes, ico, icns } from '#scripts/assets/icon-files.ts';
import { projectDir } from '#test/support/machine.ts';

const at = (...path: readonly string[]): string => join(projectDir, ...path);
const resource = (path: string): string => at(configuration.directories.buildResources, path);

test('there are an AppImage and a deb for Linux, an NSIS installer for Windows and a dmg for macOS', () => {
  const { linux, win, mac } = configuration;
  expect([linux.target, win.target, mac.target]).toEqual([['AppImage', 'deb'], ['nsis'], ['dmg']]);
});

test('every fuse that lets others run code in the application is off, and the ones that protect it are on [configuration.fuse-lets-run]', () => {
  expect(configuration.electronFuses).toEqual({
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    grantFileProtocolExtraPrivileges: false,
    enableCookieEncryption: true,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
  });
});

test('no feed of updates is configured', () => {
  expect(configuration.publish).toBeNull();
});

describe('hearth:// links', () => {
  test('hearth:// links are declared once for every platform', () => {
    expect(configuration.protocols).toEqual([{ name: 'Hearth', schemes: ['hearth'] }]);
  });

  test('hearth:// links are registered by the Windows installer and removed with the application', () => {
    const script = readFileSync(at(configuration.nsis.include), 'utf8');
    expect(script).toMatch(/customInstall[^]*WriteRegStr[^]*Classes\\hearth" "URL Protocol"/);
    // What a link says is never an option.
    expect(script).toContain(`" -- "%1"'`);
    expect(script).toMatch(/customUnInstall[^]*DeleteRegKey[^]*Classes\\hearth"/);
  });
});

test('the Windows installer asks nobody for administrator rights and keeps what people wrote', () => {
  expect(configuration.nsis).toMatchObject({
    oneClick: true,
    perMachine: false,
    deleteAppDataOnUninstall: false,
  });
});

test('macOS runs it hardened, and it may compile code while it runs, nothing else', () => {
  const { hardenedRuntime, entitlements, entitlementsInherit } = configuration.mac;
  expect(hardenedRuntime).toBe(true);
  expect(entitlementsInherit).toBe(entitlements);
  const keys = readFileSync(at(entitlements), 'utf8').match(/<key>.*<\/key>/g);
  expect(keys).toEqual(['<key>com.apple.security.cs.allow-jit</key>']);
});

test('macOS is told why it connects to computers nearby, without which it may not', () => {
  expect(configuration.mac.extendInfo.NSLocalNetworkUsageDescription).toMatch(/in your network\.$/);
});

test('the Linux menu entry belongs to the window, and the deb brings what the keychain and notifications need', () => {
  const { desktopName } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as {
    readonly desktopName: string;
  };
  expect(desktopName).toBe(`${configuration.linux.executableName}.desktop`);
  expect(configuration.linux.category).toMatch(/^Network;InstantMessaging;/);
  expect(configuration.deb.depends).toEqual(
    expect.arrayContaining(['libsecret-1-0', 'libnotify4', 'libnss3', 'xdg-utils']),
  );
  expect(configuration.linux.maintainer).toMatch(/^[^<]+ <[^@\s]+@[^@\s]+>$/);
});

describe('icons', () => {
  test('Linux has one in each size, and each is as large as its name says', () => {
    const files = readdirSync(resource(configuration.linux.icon));
    const sizes = [16, 24, 32, 48, 64, 96, 128, 256, 512];
    expect(files.toSorted()).toEqual(sizes.map((size) => `${size}x${size}.png`).toSorted());
    for (const size of sizes) {
      const png = readFileSync(resource(join(configuration.linux.icon, `${size}x${size}.png`)));
      expect(pngSize(png)).toEqual([size, size]);
    }
  });

  test('Windows has one file with all sizes up to 256', () => {
    const file = readFileSync(resource(configuration.win.icon));
    const images = imagesOfIco(file);
    expect(images.map(({ size }) => size)).toEqual([16, 20, 24, 32, 40, 48, 64, 128, 256]);
    for (const { size, png } of images) expect(pngSize(png)).toEqual([size, size]);
    expect(ico(images)).toEqual(file);
  });

  test('macOS has one file with all sizes up to 1024', () => {
    const file = readFileSync(resource(configuration.mac.icon));
    const images = imagesOfIcns(file);
    expect(new Set(images.map(({ size }) => size))).toEqual(new Set(icnsSizes));
    expect(Math.max(...icnsSizes)).toBe(1024);
    expect(icns(images)).toEqual(file);
  });

  test.each(['normal', 'unread', 'mention', 'attention'])('the tray has one for "%s"', (state) => {
    const sizeOf = (suffix: string): readonly number[] =>
      pngSize(readFileSync(at('resources', `tray-${state}${suffix}.png`)));
    expect(sizeOf('')).toEqual([16, 16]);
    expect(sizeOf('@1.25x')).toEqual([20, 20]);
    expect(sizeOf('@1.5x')).toEqual([24, 24]);
    expect(sizeOf('@2x')).toEqual([32, 32]);
    expect(sizeOf('-linux')).toEqual([48, 48]);
    expect(sizeOf('Template')).toEqual([16, 16]);
    expect(sizeOf('Template@2x')).toEqual([32, 32]);
  });

  test('the window has one of 1024 pixels', () => {
    expect(pngSize(readFileSync(at('resources', 'icon.png')))).toEqual([1024, 1024]);
  });
});

test('every native module that is packaged was built against the interface that stays the same', () => {
  const dependencies = ['better-sqlite3', 'keytar'];
  // A build per system instead of one per version of Electron: nothing has to be compiled when packaging.
  for (const name of dependencies) {
    expect(existsSync(at('node_modules', name, 'prebuilds')), name).toBe(true);
  }
  expect(configuration.npmRebuild).toBe(false);
});

function pngSize(png: Buffer): readonly [width: number, height: number] {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

interface Image {
  readonly size: number;
  readonly png: Buffer;
}

function imagesOfIco(file: Buffer): readonly Image[] {
  return Array.from({ length: file.readUInt16LE(4) }, (_, index) => {
    const entry = file.subarray(6 + 16 * index, 22 + 16 * index);
    const offset = entry.readUInt32LE(12);
    const png = file.subarray(offset, offset + entry.readUInt32LE(8));
    return { size: entry.readUInt8(0) || 256, png };
  });
}

function imagesOfIcns(file: Buffer): readonly Image[] {
  expect([file.toString('latin1', 0, 4), file.readUInt32BE(4)]).toEqual(['icns', file.length]);
  const images: Image[] = [];
  for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4)) {
    const png = file.subarray(at + 8, at + file.readUInt32BE(at + 4));
    images.push({ size: pngSize(png)[0], png });
  }
  return images;
}
