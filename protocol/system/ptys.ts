import { Fault } from '../failures.ts';
import { THIS_SYSTEM, type System } from './this-system.ts';

/** The names that systems give to the device of a pty. */
const NAMES: Partial<Record<System, RegExp>> = {
  linux: /^\/dev\/pts\/\d+$/,
  darwin: /^\/dev\/ttys\d+$/,
};

/**
 * Checks that the system has ptys, which the twins of readers need.
 *
 * - Linux and macOS: it has, with the functions of POSIX.
 * - Windows: it has none. Its pseudo consoles carry text, and programs cannot open them as serial ports.
 *
 * @throws Fault `bad_setting` on a system without
 */
export function requirePtys(system: System = THIS_SYSTEM): void {
  if (system !== 'win32') return;
  throw new Fault(
    'bad_setting',
    'a twin needs a pty, which Windows has not: run it under Linux, macOS or WSL',
  );
}

/** Returns whether a path is the device of a pty. */
export function isPty(path: string, system: System = THIS_SYSTEM): boolean {
  return NAMES[system]?.test(path) ?? false;
}
