import { fdatasync, openSync, write } from 'node:fs';

/** Appends a line and resolves when it is on disk. Lines that arrive during a sync share the next one. */
export type Append = (line: string) => Promise<void>;

/** Opens an append-only file with one fdatasync for all waiting lines: the minimal cost of durability. */
export function openAppendLog(path: string): Append {
  const file = openSync(path, 'a');
  let waiting: { line: string; done(error: Error | null): void }[] = [];
  let busy = false;

  function flush(): void {
    const group = waiting;
    waiting = [];
    busy = group.length > 0;
    if (!busy) return;
    const finish = (error: Error | null) => {
      for (const { done } of group) done(error);
      flush();
    };
    const text = group.map(({ line }) => line).join('');
    write(file, text, (error) => (error ? finish(error) : fdatasync(file, finish)));
  }

  return (line) =>
    new Promise((resolve, reject) => {
      waiting.push({ line: `${line}\n`, done: (error) => (error ? reject(error) : resolve()) });
      // Groups lines that arrive in the same turn.
      if (!busy) {
        busy = true;
        setImmediate(flush);
      }
    });
}
