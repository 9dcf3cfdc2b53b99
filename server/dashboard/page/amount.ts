/** Parses `17.42`, `17,42` or `17` into minor units; undefined for any other text. */
export function parseAmount(text: string): number | undefined {
  const [, units, cents = ''] = /^(\d{1,9})(?:[.,](\d{0,2}))?$/.exec(text.trim()) ?? [];
  if (units === undefined) return undefined;
  return Number(units) * 100 + Number(cents.padEnd(2, '0'));
}

/** Formats minor units without a currency: 1742 as `17.42`. */
export function formatMajorUnits(amountMinor: number): string {
  return (amountMinor / 100).toFixed(2);
}
