import { THIS_SYSTEM, type System } from './this-system.ts';

/** The signals that ask a process to stop, where it can still answer them. */
const POSIX = ['SIGINT', 'SIGTERM'] as const;
const WINDOWS = ['SIGINT', 'SIGBREAK', 'SIGHUP'] as const;

interface SignalCalls {
  system: System;
  listen(signal: NodeJS.Signals, listener: () => void): unknown;
}

const CALLS: SignalCalls = {
  system: THIS_SYSTEM,
  listen: (signal, listener) => process.on(signal, listener),
};

/**
 * Calls `stop` each time that this process is asked to stop.
 *
 * - Linux and macOS: by SIGINT (Control-C) and SIGTERM. The end of the terminal (SIGHUP) ends the process at once.
 * - Windows: by Control-C, Control-Break and the closing of the console, after which the system leaves a process some seconds. It
 *   has no SIGTERM: who ends a process there ends it at once, as SIGKILL does.
 */
export function onStopSignal(stop: () => void, { system, listen }: SignalCalls = CALLS): void {
  for (const signal of system === 'win32' ? WINDOWS : POSIX) listen(signal, stop);
}
