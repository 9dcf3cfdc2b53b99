import { Fault } from '../protocol/failures.ts';
import type { CardholderOptions, ScriptName } from '../simulator/cardholder.ts';
import { enumOption, stringOption, integerOption } from './option.ts';

/** Listed here, since `--help` does not load the simulator; the type holds the list to its scripts. */
const SCRIPTS: Record<ScriptName, string> = {
  tap: 'taps',
  'contact-pin': 'inserts a card and types its PIN',
  'wrong-pin-twice': 'types a wrong PIN twice, then the right one',
  'remove-early': 'takes the card away too early, then taps',
  'walk-away': 'goes away',
  'press-cancel': 'presses cancel',
  none: 'nothing by themselves',
};
const SCRIPT_NAMES = Object.keys(SCRIPTS) as ScriptName[];

/** Who stands in front of a simulated terminal: the options of `sim` and `agent`. */
export const CARDHOLDER_OPTIONS = {
  cardholder: enumOption(SCRIPT_NAMES, {
    flag: '--cardholder <script>',
    description: `What the person does: ${SCRIPT_NAMES.map((name) => `${name} (${SCRIPTS[name]})`).join(', ')}`,
    defaultValue: 'tap',
  }),
  card: stringOption({
    flag: '--card <name>',
    description: 'The card in their hand, such as visa-contact-pin',
    defaultText: 'the usual one of the script',
  }),
  delay: integerOption(
    { min: 0, max: 600_000 },
    {
      flag: '--delay <ms>',
      description: 'How long they take over each thing, milliseconds',
      defaultValue: '1000',
    },
  ),
};

/**
 * Returns the options as the simulator takes them.
 * @throws Fault `bad_setting` when there is no such card, or the cardholder cannot do so with it.
 */
export async function parseCardholder(options: {
  cardholder: ScriptName;
  card: string | undefined;
  delay: number;
}): Promise<CardholderOptions> {
  const { validateCardholder } = await import('../simulator/cardholder.ts');
  const { cardholder: script, card, delay: delayMs } = options;
  const cardholder = { script, delayMs, ...(card === undefined ? {} : { card }) };
  const check = validateCardholder(cardholder);
  if (!check.ok) throw new Fault('bad_setting', `--card: ${check.problem}`);
  return cardholder;
}
