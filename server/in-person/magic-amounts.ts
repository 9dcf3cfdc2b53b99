import type { ServerSettings } from '../services.ts';
import { isSimulated } from './terminal.rules.ts';

/**
 * Amounts whose last three digits say what becomes of a payment on a simulated terminal (docs/choices.md,
 * Magic amounts). Declines are the issuer's (server/issuer); these are the cardholder's and the network's.
 */
const NOBODY_COMES = 920;
const NEVER_ARRIVES = 921;
const CARDHOLDER_CANCELS = 922;

interface Circumstances {
  amountMinor: number;
  serialNumber: string;
  settings: Pick<ServerSettings, 'magicAmounts'>;
}

export function magicAmountsApply({ serialNumber, settings }: Omit<Circumstances, 'amountMinor'>): boolean {
  return settings.magicAmounts !== 'off' && isSimulated(serialNumber);
}

/** Whether the command to the terminal is to be lost on the way. */
export function isLostOnPurpose(circumstances: Circumstances): boolean {
  return magicAmountsApply(circumstances) && circumstances.amountMinor % 1000 === NEVER_ARRIVES;
}

/** What the simulated cardholder is told to do. */
export function cardholderOf(circumstances: Circumstances): 'walkAway' | 'pressCancel' | undefined {
  if (!magicAmountsApply(circumstances)) return undefined;
  switch (circumstances.amountMinor % 1000) {
    case NOBODY_COMES:
      return 'walkAway';
    case CARDHOLDER_CANCELS:
      return 'pressCancel';
    default:
      return undefined;
  }
}
