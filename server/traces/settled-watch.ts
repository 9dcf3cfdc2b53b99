// Every hop between the parts of a sandbox in one process takes a turn of the event loop or two.
const QUIET_TURNS = 10;

/** Whether something is under way in a sandbox. */
export interface SettledWatch {
  /** To be called whenever something happens. */
  happened(): void;
  isSettled(): boolean;
}

/** @param idle returns whether the sandbox itself has nothing to do */
export function createSettledWatch(idle: () => boolean): SettledWatch {
  let turnsLeft = 0;
  const turn = () => {
    turnsLeft -= 1;
    if (turnsLeft > 0) setImmediate(turn);
  };
  return {
    happened() {
      if (turnsLeft === 0) setImmediate(turn);
      turnsLeft = QUIET_TURNS;
    },
    isSettled: () => turnsLeft === 0 && idle(),
  };
}
