/** The keys of one transaction, one for each use, 16 bytes. */
export interface TransactionKeys {
  pin: Uint8Array;
  mac: Uint8Array;
  data: Uint8Array;
}

/** Returns the next counter with at most `onesMax` ones: the lowest one is added until enough carry. */
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
