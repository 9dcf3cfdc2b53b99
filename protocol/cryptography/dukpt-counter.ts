/** The keys of one transaction, each for one use, 16 bytes. */
export interface TransactionKeys {
  pin: Uint8Array;
  mac: Uint8Array;
  data: Uint8Array;
}

/** Counts on to a number with few enough ones: the lowest one is added until the others carry into fewer. */
export function nextCounterWithin(
  counter: number,
  { bits, onesMax }: { bits: number; onesMax: number },
): number | undefined {
  let next = counter + 1;
  while (next < 2 ** bits && ones(next) > onesMax) next += lowestOne(next);
  return next < 2 ** bits ? next : undefined;
}

function ones(value: number): number {
  return value.toString(2).replaceAll('0', '').length;
}

function lowestOne(value: number): number {
  return 2 ** (value.toString(2).length - 1 - value.toString(2).lastIndexOf('1'));
}
