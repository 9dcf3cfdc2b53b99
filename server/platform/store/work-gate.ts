import { createSerialQueue } from '../../../protocol/serial-queue.ts';

/** Lets work run beside other work, or alone. */
interface WorkGate {
  /** Runs work once nothing runs alone or waits to. It must not wait for other work of the gate. */
  beside<T>(work: () => Promise<T>): Promise<T>;
  /** Runs work once all that runs beside other work has ended. What comes later waits until it has ended. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export function createWorkGate(): WorkGate {
  const oneAtATime = createSerialQueue();
  /** Works that run beside others. */
  let running = 0;
  /** Works that run alone or wait to. */
  let alone = 0;
  let onEmptied = () => {};
  let waiting: (() => void)[] = [];

  function reopen(): void {
    const ready = waiting;
    waiting = [];
    for (const begin of ready) begin();
  }

  return {
    async beside(work) {
      while (alone > 0) await new Promise<void>((resolve) => waiting.push(resolve));
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        if (running === 0) onEmptied();
      }
    },
    alone(work) {
      alone += 1;
      return oneAtATime(async () => {
        if (running > 0) await new Promise<void>((resolve) => (onEmptied = resolve));
        try {
          return await work();
        } finally {
          alone -= 1;
          if (alone === 0) reopen();
        }
      });
    },
  };
}
