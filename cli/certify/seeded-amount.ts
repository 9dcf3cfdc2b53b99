// Above what is free, and below the magic amounts that end in 9.. and what a card may be tapped for.
const AMOUNT_MIN = 1_000;
const AMOUNTS = 800;

/** Returns the amount of a case, minor units: the same one for the same seed. */
export function seededAmount(seed: string, id: string): number {
  const sum = [...`${seed} ${id}`].reduce((total, one) => total * 31 + one.charCodeAt(0), 0);
  return AMOUNT_MIN + (sum % AMOUNTS);
}
