import { Fault } from '../../protocol/failures.ts';
import type { CardholderOptions, ScriptName } from '../../simulator/cardholder.ts';
import { enumOption, stringOption, integerOption, booleanOption, urlOption } from '../command-line/option.ts';
import { mqttOverWebSocket } from '../data-folder/addresses.ts';
import { keysOf } from '../../protocol/tables.ts';

/** Repeated here so that `--help` need not load the simulator; the type requires every script of it. */
const SCRIPTS: Record<ScriptName, string> = {
  tap: 'taps the card',
  'contact-pin': 'inserts the card and enters the PIN',
  'wrong-pin-twice': 'enters a wrong PIN twice, then the right one',
  'remove-early': 'removes the card too early, then taps',
  'walk-away': 'presents no card',
  'press-cancel': 'presses cancel',
  none: 'is not simulated',
};
export const SCRIPT_NAMES = keysOf(SCRIPTS);

/** Options of `sim` and `agent` for the simulated cardholder. */
export const CARDHOLDER_OPTIONS = {
  cardholder: enumOption(SCRIPT_NAMES, {
    flag: '--cardholder <script>',
    description: `Behaviour of the simulated cardholder: ${SCRIPT_NAMES.map((name) => `${name} (${SCRIPTS[name]})`).join(', ')}`,
    defaultValue: 'tap',
  }),
  card: stringOption({
    flag: '--card <name>',
    description: 'The card that the cardholder uses, such as visa-contact-pin',
    defaultText: 'the default card of the script',
  }),
  delay: integerOption(
    { min: 0, max: 600_000 },
    {
      flag: '--delay <ms>',
      description: 'Delay before each action of the cardholder, milliseconds',
      defaultText: '1000; none in a sandbox whose pace is instant',
    },
  ),
};

/**
 * Converts the command line options to those of the simulator.
 * @throws Fault `bad_setting` when the card does not exist, or lacks the entry mode that the script needs.
 */
export async function parseCardholder(options: {
  cardholder: ScriptName;
  card: string | undefined;
  delay: number | undefined;
}): Promise<CardholderOptions> {
  const { validateCardholder } = await import('../../simulator/cardholder.ts');
  const { cardholder: script, card, delay: delayMs } = options;
  const cardholder = {
    script,
    ...(delayMs !== undefined && { delayMs }),
    ...(card !== undefined && { card }),
  };
  const check = validateCardholder(cardholder);
  if (!check.ok) throw new Fault('bad_setting', `--card: ${check.problem}`);
  return cardholder;
}

/** Repeated here so that `--help` need not load the drivers; a test compares it with their table. */
const DRIVER_NAMES = [
  'pn532',
  'ccid',
  'pcsc',
  'vivotech',
  'zvt',
  'caisse-ap',
  'ecr17',
  'concert',
  'nexo',
] as const;

/** Repeated here too; a test compares it with the table of the simulator. */
export const TWIN_NAMES = [
  'pn532',
  'ccid',
  'vivotech',
  'zvt',
  'caisse-ap',
  'ecr17',
  'concert',
  'nexo',
] as const;

/** Options that choose a reader. */
export const READER_OPTIONS = {
  driver: enumOption(DRIVER_NAMES, {
    flag: '--driver <name>',
    description: `Driver of the reader: ${DRIVER_NAMES.join(', ')}`,
    defaultText: 'detected by its USB id, if that is unambiguous',
  }),
  allowRealTerminal: booleanOption(
    '--allow-real-terminal',
    'Allow a payment terminal that authorises at its own bank: real money may move',
  ),
  terminalSettings: stringOption({
    flag: '--terminal-settings <file>',
    description: 'JSON file with what a payment terminal needs besides its address, such as its keys',
  }),
};

export const portOption = stringOption({
  flag: '--port <path>',
  description:
    "Port of a real reader or its twin, such as /dev/ttyUSB0, COM3, tcp://10.0.0.7:20007, tls://10.0.0.7, or pcsc:NAME for a reader of the system's smart card service",
});

/** Address of the broker, for `sim` and `agent`. */
export const brokerOption = urlOption(['mqtt', 'mqtts', 'ws', 'wss'], {
  env: 'MQTT_URL',
  flag: '--mqtt <url>',
  description: 'The MQTT broker',
  defaultText: 'MQTT over WebSocket at the server',
  secret: true,
});

export function brokerUrl({ mqtt, url }: { mqtt: string | undefined; url: string }): string {
  return mqtt ?? mqttOverWebSocket(url);
}
