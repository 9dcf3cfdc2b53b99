/**
 * Returns how often a proof repeats what it does: the number in a variable of the environment, or else the given one.
 * @throws for anything but a whole number from 1, with which the proof would do nothing and pass
 */
export function countFrom(variable: string, otherwise: number): number {
  const text = process.env[variable];
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`${variable} must be a whole number from 1: '${text}'`);
  return Number(text);
}
