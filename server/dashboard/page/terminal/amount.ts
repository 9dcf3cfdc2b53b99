/** `17.42`, `17,42` or `17` as 1742 minor units; undefined for what is no amount. */
export function readAmount(text: string): number | undefined {
  const [, units, cents = ''] = /^(\d{1,9})(?:[.,](\d{0,2}))?$/.exec(text.trim()) ?? [];
  if (units === undefined) return undefined;
  return Number(units) * 100 + Number(cents.padEnd(2, '0'));
}

/** 1742 as `17.42`, as it is typed. */
export function writeAmount(amountMinor: number): string {
  return (amountMinor / 100).toFixed(2);
}
