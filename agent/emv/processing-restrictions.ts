import { toHex } from '../../protocol/emv/hex.ts';
import { AUC, isSet, TVR } from './bits.ts';
import { comparableDate } from './certificates.ts';
import type { DataStore } from './data-store.ts';

/**
 * Checks the processing restrictions: version, usage and dates (EMV 4.4 Book 3 §10.4). A failure sets the TVR and does
 * not end the transaction.
 */
export function applyProcessingRestrictions(store: DataStore): void {
  checkVersion(store);
  checkUsage(store);
  checkDates(store);
}

/** Application version number (§10.4.1). */
function checkVersion(store: DataStore): void {
  const [card, terminal] = [store.get('9F08'), store.get('9F09')];
  if (card && terminal && Buffer.compare(card, terminal) !== 0) store.setBit(TVR.differentVersions);
}

/** Application usage control, for goods and services (§10.4.2, Table 36). */
function checkUsage(store: DataStore): void {
  const [usage, issuerCountry] = [store.get('9F07'), store.get('5F28')];
  if (!usage) return;
  if (!isSet(usage, AUC.otherThanAtm)) store.setBit(TVR.serviceNotAllowed);
  if (!issuerCountry) return;
  const isDomestic = Buffer.compare(issuerCountry, store.need('9F1A')) === 0;
  const [goods, services] = isDomestic
    ? [AUC.domesticGoods, AUC.domesticServices]
    : [AUC.internationalGoods, AUC.internationalServices];
  if (!isSet(usage, goods) && !isSet(usage, services)) store.setBit(TVR.serviceNotAllowed);
}

/** Application effective and expiration dates (§10.4.3). */
function checkDates(store: DataStore): void {
  const today = comparableDate(toHex(store.need('9A')));
  const [effective, expiry] = [store.get('5F25'), store.get('5F24')];
  if (effective && today < comparableDate(toHex(effective))) store.setBit(TVR.notYetEffective);
  if (expiry && today > comparableDate(toHex(expiry))) store.setBit(TVR.expired);
}
