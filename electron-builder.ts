import type { Configuration } from 'electron-builder';

/** A name that belongs to nobody (RFC 2606), because installers have to name an address and the project has none yet. */
const domain = 'hearth.example';
const authors = 'The Hearth authors';

/**
 * How the application is packaged; scripts/package.ts runs it. Its icons, and what else only packaging needs, are in
 * resources/package; the rest of resources/ is part of the application.
 */
const configuration = {
  appId: 'app.hearth.desktop',
  productName: 'Hearth',
  copyright: `Copyright © ${authors}`,
  directories: { output: 'dist', buildResources: 'resources/package' },
  artifactName: '${productName}-${version}-${os}-${arch}.${ext}',
  protocols: [{ name: 'Hearth', schemes: ['hearth'] }],
  // There is no feed of updates yet: nothing is published, and the application carries no address of one.
  publish: null,
  // What the tools of development read is nothing to the application.
  extraMetadata: { homepage: `https://${domain}`, allowScripts: null, knip: null, prettier: null },

  files: [
    'out/{main,preload,renderer}/**',
    'resources/**',
    '!resources/package{,/**}',
    'package.json',
    'LICENSE',
    '!**/*.{map,ts,mts,cts,md,markdown,flow,scss}',
    '!**/node_modules/**/{test,tests,__tests__,example,examples,docs,benchmark,benchmarks}/**',
    // Every native module brings a build per system against Node's stable interface: one of them is loaded.
    '!node_modules/better-sqlite3/{deps,src,prebuilds,binding.gyp}{,/**}',
    'node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node',
    '!node_modules/keytar/{src,script,prebuilds,binding.gyp}{,/**}',
    'node_modules/keytar/prebuilds/${platform}-${arch}/**',
    '!node_modules/node-addon-api{,/**}',
  ],
  asar: true,
  // The system's loader reads files, not archives.
  asarUnpack: ['**/*.node'],
  npmRebuild: false,

  electronFuses: {
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
  },

  linux: {
    target: ['AppImage', 'deb'],
    executableName: 'hearth',
    icon: 'icons',
    synopsis: 'Team chat that lives on a laptop in the office',
    description:
      'Streams and topics, search that finds everything, and a service for a small team that runs on this computer or elsewhere.',
    category: 'Network;InstantMessaging;Chat;Office',
    maintainer: `${authors} <authors@${domain}>`,
    vendor: authors,
    syncDesktopName: true,
    desktop: {
      entry: {
        GenericName: 'Team chat',
        Keywords: 'chat;message;messenger;team;stream;zulip;',
        StartupNotify: 'true',
      },
    },
  },
  // Starts without FUSE 2, which current distributions no longer bring.
  toolsets: { appimage: '1.0.3' },
  deb: {
    packageCategory: 'net',
    priority: 'optional',
    depends: [
      'libgtk-3-0 | libgtk-3-0t64',
      'libnss3',
      'libnotify4',
      'libsecret-1-0',
      'libasound2 | libasound2t64',
      'libgbm1',
      'libxss1',
      'libxtst6',
      'libatspi2.0-0 | libatspi2.0-0t64',
      'libuuid1',
      'xdg-utils',
    ],
    // Without the first there is no keychain to keep keys in, without the second no icon in the panel.
    recommends: ['gnome-keyring | kwalletmanager', 'libayatana-appindicator3-1'],
  },

  win: { target: ['nsis'], icon: 'icon.ico' },
  nsis: {
    // For the person who starts it, without questions and without an administrator.
    oneClick: true,
    perMachine: false,
    include: 'resources/package/installer.nsh',
    uninstallDisplayName: 'Hearth',
    // The messages of an organization that is hosted here are among them.
    deleteAppDataOnUninstall: false,
  },

  mac: {
    target: ['dmg'],
    icon: 'icon.icns',
    category: 'public.app-category.business',
    darkModeSupport: true,
    hardenedRuntime: true,
    gatekeeperAssess: false,
    extendInfo: {
      // Without a reason the system refuses every connection into the local network, and asks nobody.
      NSLocalNetworkUsageDescription:
        'Hearth connects to organizations that are hosted on other computers in your network.',
      NSBonjourServices: ['_hearth._tcp'],
    },
    entitlements: 'resources/package/entitlements.mac.plist',
    entitlementsInherit: 'resources/package/entitlements.mac.plist',
  },
  dmg: {
    title: '${productName} ${version}',
    contents: [
      { x: 140, y: 200 },
      { x: 400, y: 200, type: 'link', path: '/Applications' },
    ],
  },
} satisfies Configuration;

export default configuration;
