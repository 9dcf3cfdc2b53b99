import { isSimulated } from './terminal.rules.ts';
import type { ServerSettings } from '../../platform/settings.ts';

/**
 * Amounts whose last three digits say what becomes of a payment on a terminal (docs/choices.md, Magic amounts).
 * Declines are the issuer's (server/issuer); these are the cardholder's and the network's.
 */
const NOBODY_COMES = 920;
const NEVER_ARRIVES = 921;
const CARDHOLDER_CANCELS = 922;

interface Circumstances {
  amountMinor: number;
  serialNumber: string;
  settings: Pick<ServerSettings, 'magicAmounts'>;
}

/** Whether amounts choose an outcome on all terminals, simulated or not: what this server itself does about an amount. */
export function magicAmountsApply({ magicAmounts }: Circumstances['settings']): boolean {
  return magicAmounts !== 'off';
}

/** Whether the command to the terminal is to be lost on the way. */
export function isLostOnPurpose({ amountMinor, settings }: Omit<Circumstances, 'serialNumber'>): boolean {
  return magicAmountsApply(settings) && amountMinor % 1000 === NEVER_ARRIVES;
}

/** What the simulated cardholder is to do; a terminal that is not simulated has none. */
export function cardholderOf(circumstances: Circumstances): 'walkAway' | 'pressCancel' | undefined {
  const { amountMinor, serialNumber, settings } = circumstances;
  if (!magicAmountsApply(settings) || !isSimulated(serialNumber)) return undefined;
  switch (amountMinor % 1000) {
    case NOBODY_COMES:
      return 'walkAway';
    case CARDHOLDER_CANCELS:
      return 'pressCancel';
    default:
      return undefined;
  }
}
