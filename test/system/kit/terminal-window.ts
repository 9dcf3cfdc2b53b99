import type { Child, ChildOptions } from './child-command.ts';
import type { SystemFixture } from './system-fixture.ts';

/** A command line that a shell runs. */
export interface TypedLine {
  child: Child;
  /** Sends a signal to every process of the line, as a terminal window does at Control-C. */
  signal(name: NodeJS.Signals): void;
}

// At Control-C a shell that runs a script ends as well, and its exit code is lost; one that a person types in goes on.
const OUTLIVE_CONTROL_C = 'trap : INT';

/** Runs a command line in a shell, in a process group of its own. The first command that fails ends it. */
export function typeLine(fixture: SystemFixture, line: string, options: ChildOptions): TypedLine {
  const child = fixture.program('setsid', ['sh', '-e', '-c', `${OUTLIVE_CONTROL_C}\n${line}`], options);
  let closed = false;
  const close = () => void (closed = true);
  child.ended.then(close, close);
  const signal = (name: NodeJS.Signals) => void process.kill(-child.pid, name);
  fixture.onCleanUp(() => {
    // The shell may have ended before what it started.
    if (!closed) signal('SIGKILL');
  });
  return { child, signal };
}

/** Runs a command line on a pseudo terminal, whose keyboard is the input. */
export function typeOnTerminal(fixture: SystemFixture, line: string, options: ChildOptions): Child {
  return fixture.program('script', ['-q', '-e', '-c', line, '/dev/null'], options);
}
