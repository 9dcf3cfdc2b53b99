import { stoppableControlsOf } from '../stand-alone/stand-alone-device.ts';
import { chosen, countOf } from '../typed-words.ts';
import type { CardTray, Twin } from '../twin.ts';
import { CHECK_MODES, type CheckMode } from './frames.ts';
import type { ReceiptTarget } from './requests.ts';

/** What a person has set at the terminal, and what it keeps between connections. */
export interface Ecr17Settings {
  check: CheckMode;
  /** The state that `s` reports. */
  state: string;
  /** How many of the next messages are refused, or left without a reaction. */
  refuse: number;
  ignore: number;
  /** Whether results are sent before the message is acknowledged. */
  resultFirst: boolean;
  /** Whether the currency of the card is converted. */
  converts: boolean;
  /** Where receipts of the next procedure go. */
  receiptsTo: ReceiptTarget;
}

const settings = new WeakMap<CardTray, Ecr17Settings>();

/** Returns the settings of the terminal with this tray. */
export function settingsOf(tray: CardTray): Ecr17Settings {
  const known = settings.get(tray);
  if (known) return known;
  const fresh: Ecr17Settings = {
    check: 'noext',
    state: '2',
    refuse: 0,
    ignore: 0,
    resultFirst: false,
    converts: false,
    receiptsTo: '0',
  };
  settings.set(tray, fresh);
  return fresh;
}

const STATES = ['0', '1', '2', '3', '4', '5', '6'] as const;
const ON_OFF = ['on', 'off'] as const;

/** What a person can do at the terminal on this tray. */
export function controlsOf(tray: CardTray): Twin['controls'] {
  const set = settingsOf(tray);
  return {
    ...stoppableControlsOf(tray),
    check: {
      argument: CHECK_MODES.join('|'),
      run: (mode) => void (set.check = chosen('check', CHECK_MODES, mode)),
    },
    state: { argument: '0-6', run: (state) => void (set.state = chosen('state', STATES, state)) },
    refuse: { argument: 'COUNT', run: (count) => void (set.refuse = countOf('refuse', count)) },
    ignore: { argument: 'COUNT', run: (count) => void (set.ignore = countOf('ignore', count)) },
    'result-first': {
      argument: 'on|off',
      run: (word) => void (set.resultFirst = chosen('result-first', ON_OFF, word) === 'on'),
    },
    convert: {
      argument: 'on|off',
      run: (word) => void (set.converts = chosen('convert', ON_OFF, word) === 'on'),
    },
  };
}
