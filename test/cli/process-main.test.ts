import { expect, test } from 'vitest';
import { onNpmShellEnded } from '../../cli/process-main.ts';

/** A process whose parent is the shell that runs `script`. */
function processIn(script: string | undefined) {
  let pid = 41;
  let polls: (() => void)[] = [];
  let ends = 0;
  const env = script === undefined ? {} : { npm_lifecycle_script: script };
  const every = (_intervalMs: number, run: () => void) => {
    polls.push(run);
    return () => void (polls = polls.filter((poll) => poll !== run));
  };
  onNpmShellEnded({ env, parentPid: () => pid, every }, () => (ends += 1));
  const poll = () => polls.forEach((run) => run());
  return {
    poll,
    endShell: () => void (pid = 1),
    get ends() {
      return ends;
    },
  };
}

test.each(['node scripts/start.mjs', "'tapbench'", 'tapbench', 'tapbench up --json'])(
  'onNpmShellEnded: reports once that the shell of `%s` has ended',
  (script) => {
    const child = processIn(script);
    child.poll();
    expect(child.ends).toBe(0);
    child.endShell();
    child.poll();
    child.poll();
    expect(child.ends).toBe(1);
  },
);

test.each([undefined, 'tapbench up & node --test', 'vitest run', 'tapbench-report', 'sh -c tapbench'])(
  'onNpmShellEnded: a server outlives the shell of `%s`, which may have started it in the background',
  (script) => {
    const child = processIn(script);
    child.endShell();
    child.poll();
    expect(child.ends).toBe(0);
  },
);
