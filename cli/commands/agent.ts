import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, messageOf } from '../../protocol/failures.ts';
import type { LinkCredentials } from '../../protocol/link.ts';
import type { FleetNotice } from '../../simulator/fleet.ts';
import type { SandboxApi } from '../../simulator/pairing.ts';
import { brokerOption } from '../broker-option.ts';
import { CLIENT_OPTIONS, connectApi, type ClientOptions } from '../api-client.ts';
import { CARDHOLDER_OPTIONS, cardholderOf } from '../cardholder-options.ts';
import { command } from '../command.ts';
import { SETTINGS } from '../config.ts';
import { clockTime } from '../console.ts';
import { text } from '../option.ts';
import { coloured, printJsonLine } from '../output.ts';
import { chooseTerminal } from '../terminal-choice.ts';
import { uninterrupted, untilInterrupted, type Surroundings } from '../surroundings.ts';

export const agent = command({
  name: 'agent',
  summary: 'Run one terminal, with a virtual reader, against any server',
  details:
    'Pairs itself with the secret key, which voids the credentials that the terminal had; or takes those that `tapbench pair --out` wrote. Its journal is in DATA_DIR/terminals, so it goes on after a power cut. Prints its display.',
  parameters: {},
  options: {
    terminal: text({
      flag: '--terminal <id>',
      meaning: 'Id or serial number',
      otherwise: 'the only one, or that of --credentials',
    }),
    credentials: text({ flag: '--credentials <file>', meaning: 'MQTT credentials in place of pairing' }),
    device: text({
      flag: '--device <model>',
      meaning: 'Which model it is, such as pocket-reader',
      fallback: 'pax-a920-pro',
    }),
    ...CARDHOLDER_OPTIONS,
    mqtt: brokerOption,
    logLevel: SETTINGS.logLevel,
    ...CLIENT_OPTIONS,
  },
  examples: [
    { line: 'tapbench agent --terminal 1853012345', does: 'plays that terminal; its cardholder taps' },
    {
      line: 'tapbench agent --credentials till-2.json --url http://10.0.0.5:8080',
      does: 'on another machine',
    },
  ],
  async run({ around, options }) {
    const [{ startAwayFleet }, { fileJournal }, { DEVICE_NAMES, deviceNamed }] = await Promise.all([
      import('../away-fleet.ts'),
      import('../../agent/lifecycle/action-journal.ts'),
      import('../../simulator/profiles/device-profile.ts'),
    ]);
    const device = deviceNamed(options.device);
    if (!device) throw new Fault('bad_setting', `--device must be one of: ${DEVICE_NAMES.join(', ')}`);
    const { terminalId, api } = await identify(around, options);
    const fleet = startAwayFleet(around, {
      options,
      api,
      cardholder: cardholderOf(options),
      journalFor: (id) => fileJournal(join(options.dataDir, 'terminals', `${id}.json`), { sync: true }),
      onNotice: (notice) => printScreen(around, notice, options.json),
    });
    try {
      await fleet.add({ terminalId, deviceType: device.deviceType });
      await untilInterrupted(around);
    } finally {
      await fleet.close();
    }
  },
});

/** Which terminal this is, and what gives it its credentials. */
async function identify(
  around: Surroundings,
  options: ClientOptions & { terminal: string | undefined; credentials: string | undefined },
): Promise<{ terminalId: string; api: SandboxApi }> {
  if (options.credentials === undefined) {
    const terminalId = await chooseTerminal(connectApi(around, options), options.terminal);
    const lasting = connectApi(uninterrupted(around), options);
    return { terminalId, api: { request: (method, path, body) => lasting.ask(method, path, body) } };
  }
  const credentials = readCredentials(options.credentials);
  const isPairing = (path: string) => path.startsWith('/pairing/terminals/');
  return {
    // A terminal's user name at the broker is its id.
    terminalId: credentials.username,
    api: {
      request: async (_method, path) =>
        isPairing(path) ? { status: 200, body: credentials } : { status: 404, body: undefined },
    },
  };
}

const CREDENTIALS = ['clientId', 'username', 'password'] as const;

function readCredentials(path: string): LinkCredentials {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    // The text of a JSON error quotes the file, and with it the password.
    const reason = error instanceof SyntaxError ? 'it is not JSON' : messageOf(error);
    throw new Fault('bad_setting', `--credentials ${path} cannot be read: ${reason}`);
  }
  const credentials = value as LinkCredentials | null;
  const missing = CREDENTIALS.find((name) => typeof credentials?.[name] !== 'string');
  if (!credentials || missing) throw new Fault('bad_setting', `--credentials ${path}: ${missing} is missing`);
  return credentials;
}

function printScreen({ out, clock }: Surroundings, notice: FleetNotice, asJson: boolean): void {
  if (notice.what !== 'screen') return;
  const { terminalId, lines } = notice;
  if (asJson) return printJsonLine(out, { terminalId, screen: lines });
  out.write(`${coloured(out, 'dim', clockTime(clock.nowMs()))}  ${lines.filter(Boolean).join(' | ')}\n`);
}
