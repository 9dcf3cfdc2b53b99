import { join, resolve } from 'node:path';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { makeFolder } from '../../protocol/system/make-folder.ts';
import { replaceFile } from '../../protocol/system/replace-file.ts';
import { userNamed } from '../../protocol/system/system-user.ts';
import type { AclFile, MosquittoListener } from '../../server/platform/broker/external-broker.ts';
import { pause } from '../client/api-client.ts';
import type { CommandContext, Sink } from '../command-line/command-context.ts';
import { commandLog, LOG_OPTIONS } from '../log/command-log.ts';
import { command, required } from '../command-line/command.ts';
import { SETTINGS } from '../command-line/config.ts';
import { readKeys } from '../data-folder/data-folder.ts';
import { booleanOption, integerOption, parsedOption, stringOption } from '../command-line/option.ts';

const listenerOption = parsedOption<MosquittoListener | 'none', string>(
  (typed) => {
    if (typed === 'none') return { value: 'none' };
    const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]:|([^\s:[\]]+):)?(\d{1,5})$/i.exec(typed) ?? [];
    if (port === undefined || Number(port) < 1 || Number(port) > 65_535)
      return { problem: 'must be a port, an address and a port such as 127.0.0.1:1883, or none' };
    const host = bracketed ?? plain;
    return { value: { port: Number(port), ...(host !== undefined && { host }) } };
  },
  {
    flag: '--listen <address>',
    description:
      'What mosquitto listens on: a port of all addresses, an address and a port, or none where your own configuration has the listener',
    defaultValue: '127.0.0.1:1883',
  },
);

const OPTIONS = {
  out: stringOption({
    flag: '--out <folder>',
    description: 'Write the files there, readable by their owner only',
    defaultText: 'they are printed',
  }),
  instances: integerOption(
    { min: 1, max: 100 },
    {
      flag: '--instances <count>',
      description:
        'How many servers use the broker. The second one has the user name server-2, which its MQTT_URL contains',
      defaultValue: '1',
    },
  ),
  listen: listenerOption,
  owner: stringOption({
    flag: '--owner <user>',
    description:
      'The user who owns the files, such as mosquitto: the one that the broker runs as. Only root may set it',
    defaultText: 'the user who runs the command',
  }),
  watch: booleanOption('--watch', 'Keep running, and write the files again whenever the users change'),
  dataDir: SETTINGS.dataDir,
  databaseUrl: SETTINGS.databaseUrl,
  pairingSecret: SETTINGS.pairingSecret,
  mqttUrl: SETTINGS.mqttUrl,
  ...LOG_OPTIONS,
};

/** Between two looks at the users. A terminal that was paired meanwhile tries again until the broker knows it. */
const WATCH_INTERVAL_MS = 2_000;

export const brokerAcl = command({
  name: 'broker-acl',
  details:
    'Reads the store of the server, which may be running. Terminals that are paired and sandboxes that are created later are not included: run it again, or use --watch, and reload the broker.',
  parameters: { broker: required('mosquitto, nats or rabbitmq') },
  options: OPTIONS,
  examples: [
    {
      line: 'sudo npx tapbench broker-acl mosquitto --out /etc/mosquitto/conf.d --owner mosquitto',
      description: 'writes its three files, readable by the user that Debian runs mosquitto as',
    },
  ],
  async run({ context, args, options }) {
    const { brokerAcl: filesFor, EXTERNAL_BROKERS } =
      await import('../../server/platform/broker/external-broker.ts');
    const kind = EXTERNAL_BROKERS.find((known) => known === args.broker);
    if (!kind) throw new Fault('bad_setting', `BROKER must be one of: ${EXTERNAL_BROKERS.join(', ')}`);
    const pairingSecret = options.pairingSecret ?? readKeys(options.dataDir).pairingSecret;
    if (pairingSecret === undefined) {
      throw new Fault('bad_setting', `PAIRING_SECRET is not set and ${options.dataDir}/keys.json has none`);
    }
    if (options.watch && options.out === undefined)
      throw new Fault('bad_setting', '--watch needs --out: it writes files');
    if (options.owner !== undefined && options.out === undefined)
      throw new Fault('bad_setting', '--owner needs --out: it writes files');
    const owner = options.owner === undefined ? undefined : userNamed(options.owner);
    const { readBrokerUsers } = await import('../server/broker-users.ts');
    const { clock } = context;
    const source = { ...options, pairingSecret, clock, log: commandLog(context, options) };
    const directory = options.out === undefined ? '' : `${resolve(options.out)}/`;
    let written: string | undefined;
    do {
      const { users, unpaired } = await readBrokerUsers(source);
      const current = JSON.stringify(users);
      if (current !== written) {
        written = current;
        const files = filesFor(kind, {
          users,
          random: context.random,
          directory,
          listener: options.listen,
        });
        if (options.out === undefined) printFiles(context.out, files);
        else {
          writeFiles(options.out, files, owner);
          context.err.write(`${files.length} files for ${users.length} users in ${options.out}\n`);
        }
        if (unpaired > 0)
          context.err.write(`${unpaired} terminals are not included: they are not paired yet\n`);
      }
    } while (options.watch && (await isDue(context)));
  },
});

/** Waits for the next look at the users. Resolves with false when the command is interrupted. */
async function isDue(context: CommandContext): Promise<boolean> {
  try {
    await pause(context, WATCH_INTERVAL_MS);
    return true;
  } catch (thrown) {
    if (context.interrupted.aborted) return false;
    throw thrown;
  }
}

function printFiles(out: Sink, files: AclFile[]): void {
  for (const { filename, text: content } of files) out.write(`# ${filename}\n${content}\n`);
}

/** Writes files, the first one last: a broker that starts once it is there finds those that it refers to. */
function writeFiles(folder: string, files: AclFile[], owner: ReturnType<typeof userNamed> | undefined): void {
  try {
    makeFolder(folder);
    for (const { filename, text: content } of files.toReversed()) {
      replaceFile(join(folder, filename), content, { owner });
    }
  } catch (error) {
    throw new Fault('bad_setting', `--out ${folder} cannot be written: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
