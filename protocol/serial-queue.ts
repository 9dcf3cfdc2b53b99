/** Runs a task once every task added before it has settled. */
export type SerialQueue = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * Creates a queue that runs its tasks one at a time, in the order in which they were added. A task that rejects
 * rejects its own promise and does not stop the queue.
 */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}
