import { toHex } from '../../protocol/emv/hex.ts';
import { TSI, TVR } from './bits.ts';
import type { DataStore } from './data-store.ts';

/**
 * Performs terminal risk management (EMV 4.4 Book 3 §10.6). The floor limit is zero, so every transaction goes online.
 * An online-only terminal needs no random selection or velocity checking (Book 4 §6.3.5).
 */
export function manageTerminalRisk(store: DataStore): void {
  const floorLimit = Number.parseInt(toHex(store.need('9F1B')), 16);
  if (Number(toHex(store.need('9F02'))) >= floorLimit) store.setBit(TVR.floorLimitExceeded);
  store.setBit(TSI.terminalRiskManagement);
}
