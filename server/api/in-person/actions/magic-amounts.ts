import type { ServerSettings } from '../../../platform/settings.ts';
import { isSimulated } from '../terminals/terminal.rules.ts';

/**
 * Last three digits of amounts that simulate the cardholder and the network (docs/choices.md, Magic amounts).
 * Amounts that the issuer declines are in server/bank/issuer.
 */
const NO_CARD = 920;
const START_LOST = 921;
const CARDHOLDER_CANCELS = 922;

/** Codes of failures by the last three digits of an amount. */
export const MAGIC_FAILURES = {
  [NO_CARD]: 'timeout',
  [START_LOST]: 'terminal_offline',
  [CARDHOLDER_CANCELS]: 'cancelled_on_terminal',
} as const;

interface MagicAmountInput {
  amountMinor: number;
  serialNumber: string;
  settings: Pick<ServerSettings, 'magicAmounts'>;
}

/** Returns whether magic amounts apply to what the server decides, on all terminals, simulated or not. */
export function magicAmountsApply({ magicAmounts }: MagicAmountInput['settings']): boolean {
  return magicAmounts !== 'off';
}

/** Returns whether the start of an action with this amount is not sent to the terminal. */
export function isStartCommandDropped({
  amountMinor,
  settings,
}: Omit<MagicAmountInput, 'serialNumber'>): boolean {
  return magicAmountsApply(settings) && amountMinor % 1000 === START_LOST;
}

/** Returns what the simulated cardholder does; undefined for other amounts and for terminals that are not simulated. */
export function cardholderOf(input: MagicAmountInput): 'walkAway' | 'pressCancel' | undefined {
  const { amountMinor, serialNumber, settings } = input;
  if (!magicAmountsApply(settings) || !isSimulated(serialNumber)) return undefined;
  switch (amountMinor % 1000) {
    case NO_CARD:
      return 'walkAway';
    case CARDHOLDER_CANCELS:
      return 'pressCancel';
    default:
      return undefined;
  }
}
