import type { DueEffect } from '../agent/lifecycle/action-run-parts.ts';

/** A power cut around an effect of the machine of a terminal. */
interface PowerCut {
  moment: 'before' | 'after';
  /** Called when the power is cut. */
  onCut(): void;
}

/** Returns the power cut around an effect that is about to run; undefined for none. */
export type CutAroundEffect = (due: DueEffect) => PowerCut | undefined;

/** Returns a `beforeEffect` of an agent that cuts its power where `cutAround` says so. */
export function powerCuts(cutAround: CutAroundEffect, powerOff: () => void) {
  return (due: DueEffect): (() => void) | undefined => {
    const powerCut = cutAround(due);
    if (!powerCut) return undefined;
    const cut = () => {
      powerOff();
      powerCut.onCut();
    };
    if (powerCut.moment === 'after') return cut;
    cut();
    return undefined;
  };
}
