import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DriverEntry } from '../../agent/readers/driver.ts';
import { Fault } from '../../protocol/failures.ts';
import { isObject, parseOutsideJson } from '../../protocol/outside-json.ts';

/** What a payment terminal needs to know besides its address. */
export interface TerminalSettings {
  /** The members of the file, as the driver reads them. */
  members: Record<string, unknown> | undefined;
  /** Certificates of the authority that the terminal is trusted by, PEM. */
  ca: string | undefined;
}

/**
 * Reads the file of `--terminal-settings`. Its `caFile` is the path of a file with certificates.
 * @throws Fault `bad_setting` when it cannot be read, is no JSON object, or the driver reads none.
 */
export function readTerminalSettings(driver: DriverEntry, file: string | undefined): TerminalSettings {
  if (file === undefined) return { members: undefined, ca: undefined };
  if (!driver.readsSettings)
    throw new Fault('bad_setting', `--terminal-settings: --driver ${driver.name} reads none: leave it out`);
  const members = settingsIn(file);
  const { caFile } = members;
  if (caFile === undefined) return { members, ca: undefined };
  if (typeof caFile !== 'string') throw new Fault('bad_setting', 'caFile: the path of a file');
  return { members, ca: textOf(resolve(dirname(file), caFile), 'caFile') };
}

function settingsIn(file: string): Record<string, unknown> {
  const text = textOf(file, '--terminal-settings');
  let found: unknown;
  try {
    found = parseOutsideJson(text);
  } catch (error) {
    throw new Fault('bad_setting', `--terminal-settings: ${file} is not JSON`, { cause: error });
  }
  if (!isObject(found)) throw new Fault('bad_setting', `--terminal-settings: ${file} holds no JSON object`);
  return found;
}

function textOf(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Fault('bad_setting', `${what}: ${file} cannot be read`, { cause: error });
  }
}
