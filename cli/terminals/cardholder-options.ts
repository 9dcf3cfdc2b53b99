import { Fault } from '../../protocol/failures.ts';
import type { CardholderOptions, ScriptName } from '../../simulator/cardholder.ts';
import { enumOption, stringOption, integerOption } from '../command-line/option.ts';

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
export const SCRIPT_NAMES = Object.keys(SCRIPTS) as ScriptName[];

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
      defaultValue: '1000',
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
  delay: number;
}): Promise<CardholderOptions> {
  const { validateCardholder } = await import('../../simulator/cardholder.ts');
  const { cardholder: script, card, delay: delayMs } = options;
  const cardholder = { script, delayMs, ...(card === undefined ? {} : { card }) };
  const check = validateCardholder(cardholder);
  if (!check.ok) throw new Fault('bad_setting', `--card: ${check.problem}`);
  return cardholder;
}
