import { fdatasync, openSync, write } from 'node:fs';

/** Appends a line and resolves when it is on disk; lines that come during a sync share the next one. */
export type Append = (line: string) => Promise<void>;

/** The least that durability costs: an append-only file and one fdatasync for all lines that wait. */
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
      // Those that arrive in the same turn go together.
      if (!busy) {
        busy = true;
        setImmediate(flush);
      }
    });
}
