/** Commands about the service as a program, and the one that posts to any. */
import { flag, OptionError, path, text } from '#node/command-line/option.ts';
import { commandName } from '#node/own-command.ts';
import { absoluteArguments, argumentTable } from '#hosting/options/option-sources.ts';
import { readServeRequest } from '#hosting/options/serve-options.ts';
import { declareCommand, serviceDataDir, sharedOf } from './declare-command.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

const actions = ['install', 'uninstall', 'status'] as const;

/** Checked, and from any folder the same. @throws OptionError */
function serveArgsOf(dataDir: string, rest: readonly string[]): readonly string[] {
  const args = ['--data-dir', dataDir, ...rest];
  const asked = readServeRequest(args);
  if (asked.kind === 'mistake') {
    throw new OptionError(cliWords('option_behind_dashes_invalid', { reason: asked.message }));
  }
  if (asked.kind !== 'run' || asked.passwordLinkFor !== null) {
    throw new OptionError(cliWords('option_behind_dashes_not_for_running'));
  }
  return absoluteArguments(args);
}

const { help: _, backup: _copy, 'password-link': _link, ...serveOptions } = argumentTable;

export const serviceCommands = {
  config: declareCommand({
    usage: ['[options of serve]'],
    summary: 'show what options the service starts with, and where each comes from',
    about: `Prints each option with which "serve" would start now, given the same options, environment and configuration file, and where its
value comes from: the command line, a variable (HEARTH_PORT), a key of the file, or the default. What it prints could be saved as
hearth.toml in the data folder.`,
    end: 'Exit status: 0 done; 2 options that cannot be followed, and one sentence on standard error says why',
    options: serveOptions,
    make: ({ json: isJson }, { written }) => ({
      kind: 'config',
      isJson,
      args: written.filter((each) => !each.startsWith('--json')),
    }),
  }),
  service: declareCommand({
    usage: ['install|uninstall|status [options] [-- SERVE OPTIONS]'],
    summary: 'serve Hearth whenever the computer is on: install, uninstall, status',
    about: `Has the system serve Hearth by itself: systemd on Linux, launchd on macOS. "install" also takes what is there already and writes it
anew; what stands behind -- is handed to the service, as in: service install -- --host 0.0.0.0. The service reads hearth.toml
of the data folder, and not your environment. An organization whose keys are in the keychain of a desktop cannot be served like this.`,
    argument: { name: 'ACTION' },
    takesRest: true,
    options: {
      system: flag(
        'for the whole computer, from its start on (as root, with --data-dir), in place of your account',
      ),
      'data-dir': serviceDataDir,
    },
    make: (values, { argument, rest }) => {
      const action = actions.find((each) => each === argument);
      if (action === undefined) {
        const unknown = { action: argument, actions: actions.join(', ') };
        throw new OptionError(cliWords('action_unknown', unknown));
      }
      if (rest.length > 0 && action !== 'install') {
        throw new OptionError(cliWords('argument_unexpected', { argument: rest[0] ?? '' }));
      }
      if (values.system && action === 'install' && values['data-dir'] === null) {
        throw new OptionError(cliWords('data_dir_of_system_service_missing'));
      }
      const shared = sharedOf(values);
      const serveArgs = serveArgsOf(shared.dataDir, rest);
      return { kind: 'service', action, isForSystem: values.system, serveArgs, ...shared };
    },
  }),
  send: declareCommand({
    usage: ['--stream STREAM --topic TOPIC [options] [TEXT]'],
    summary: 'post a message, also from a pipe',
    about: `Posts TEXT, or what it reads from standard input, as the account of an API key: make | ${commandName} send …
The address, the account and its key are those of a zuliprc, which the window hands out beside a key, but for what is given here.`,
    end: `Where the certificate is the organization's own, FILE of --cert-bundle is office-ca.pem of its data folder. A zuliprc says the same
as cert_bundle=FILE, from the folder of the zuliprc on; the window saves that file beside the zuliprc that it hands out.

Exit status: 0 posted; 1 not posted, and one sentence on standard error says why; 2 options that do not go together`,
    argument: { name: 'TEXT', isOptional: true },
    required: ['stream', 'topic'],
    options: {
      stream: text('STREAM', 'the name of the stream'),
      topic: text('TOPIC', 'the topic'),
      config: { ...path('FILE', 'a zuliprc'), initialText: '~/.zuliprc' },
      url: text('URL', 'the address of the organization'),
      email: text('EMAIL', 'the address of the account'),
      'key-file': path('FILE', 'the file that has the API key and nothing else'),
      'cert-bundle': path('FILE', "the certificates to trust in place of the system's"),
    },
    make: ({ stream, topic, url, email, config, json: isJson, ...files }, { all: [given] }) => ({
      kind: 'send',
      isJson,
      text: given ?? null,
      url,
      email,
      config,
      stream: stream ?? '',
      topic: topic ?? '',
      keyFile: files['key-file'],
      certBundle: files['cert-bundle'],
    }),
  }),
};
