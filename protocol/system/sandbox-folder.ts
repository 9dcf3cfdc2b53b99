import { THIS_SYSTEM, type System } from './this-system.ts';

// Names of devices in every folder of Windows, also with an ending
// (https://learn.microsoft.com/windows/win32/fileio/naming-a-file).
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/;
const DEVICE_FOLDER = /^(con|prn|aux|nul|com\d|lpt\d)_$/;

/**
 * Returns the name of the folder of a sandbox.
 *
 * - Linux and macOS: the name of the sandbox. It has no capitals, which the file system of macOS does not tell apart.
 * - Windows: the same, with `_` behind the name of a device, such as `con`. No sandbox has a `_` in its name.
 */
export function sandboxFolder(name: string, system: System = THIS_SYSTEM): string {
  return system === 'win32' && DEVICE.test(name) ? `${name}_` : name;
}

/** Returns the name of the sandbox that a folder belongs to. */
export function sandboxOfFolder(folder: string, system: System = THIS_SYSTEM): string {
  return system === 'win32' && DEVICE_FOLDER.test(folder) ? folder.slice(0, -1) : folder;
}
