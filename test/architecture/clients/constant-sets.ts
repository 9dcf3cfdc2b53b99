import { ACTION_MACHINE_NAMES } from '../../../agent/inspection.ts';
import { MAGIC_DECLINES } from '../../../protocol/test-cards.ts';
import { MAGIC_FAILURES } from '../../../server/api/in-person/actions/magic-amounts.ts';
import { EVENT_TYPE_NAMES } from '../../../server/api/webhooks/event-types.ts';
import { CARD_NAMES } from '../../../simulator/cards/card-registry.ts';
import { SCRIPTS } from '../../../simulator/cardholder.ts';

/** Constants that the packages of all languages have, made from a declaration of the product. */
export interface ConstantSet {
  /** Name of its class; of its module in snake case. */
  name: string;
  about: string;
  /** What the names of the constants begin with in Go, which has no classes. */
  goPrefix: string;
  /** Names of the list of all values, and what it says of itself; none where no one needs it. */
  list?: { python: string; go: string; about: string };
  constants: readonly (readonly [name: string, value: string | number])[];
}

const eachNamedAsItself = (values: readonly string[]) => values.map((value) => [value, value] as const);

export const CONSTANT_SETS: readonly ConstantSet[] = [
  {
    name: 'EventTypes',
    about: 'Types of the events that the server sends.',
    goPrefix: 'Event',
    list: {
      python: 'EVENT_TYPES',
      go: 'EventTypes',
      about: "all event types, in the order of the server's documentation.",
    },
    constants: eachNamedAsItself(EVENT_TYPE_NAMES),
  },
  {
    name: 'TerminalStates',
    about: 'Names of the states of a terminal, which are the parts of the dotted path of its state.',
    goPrefix: 'State',
    constants: eachNamedAsItself(ACTION_MACHINE_NAMES.states.filter((name) => !name.includes('.'))),
  },
  {
    name: 'CardholderScripts',
    about: 'What a simulated cardholder does by itself.',
    goPrefix: 'Script',
    constants: eachNamedAsItself(Object.keys(SCRIPTS)),
  },
  {
    name: 'SimulatedCards',
    about: 'Cards that a simulated cardholder presents at a terminal.',
    goPrefix: 'Simulated',
    constants: eachNamedAsItself(CARD_NAMES),
  },
  {
    name: 'MagicAmounts',
    about:
      'Last three digits of the amounts with which a payment at a terminal is declined or fails, by its error.',
    goPrefix: 'Amount',
    constants: Object.entries({ ...MAGIC_DECLINES, ...MAGIC_FAILURES }).map(
      ([digits, code]) => [code.replace('3ds', 'threeDs'), Number(digits)] as const,
    ),
  },
];
