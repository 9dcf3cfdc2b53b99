import type { Verdict } from '../../../testing/hunt/hunt.ts';

/** Returns a verdict on books that have the amount of each payment. */
export function takingsAre(booked: () => readonly number[]): Verdict {
  return ({ payments }) => {
    const taken = payments
      .filter(({ status }) => status === 'Captured')
      .reduce((sum, { amount }) => sum + amount, 0);
    const inBooks = booked().reduce((sum, amount) => sum + amount, 0);
    return taken === inBooks ? undefined : `the books have ${inBooks}, and ${taken} were taken`;
  };
}
