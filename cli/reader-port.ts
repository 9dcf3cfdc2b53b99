import { detectDrivers } from '../agent/readers/detect.ts';
import type { DriverEntry } from '../agent/readers/driver.ts';
import { DRIVER_NAMES, findDriver } from '../agent/readers/drivers.ts';
import type { OpenPort } from '../agent/readers/byte-port.ts';
import { listSerialPorts, openSerialPort } from '../agent/readers/serial-port.ts';
import { openTcpPort } from '../agent/readers/zvt/tcp-port.ts';
import { Fault } from '../protocol/failures.ts';

/** Returns the opener for a port: a serial device, or `tcp://host:port`. */
export function portOpener(path: string): OpenPort {
  return path.startsWith('tcp://') ? openTcpPort(path) : openSerialPort(path);
}

/**
 * Returns the named driver, or the only one that fits the device at the port.
 * @throws Fault `bad_setting` when none or several fit.
 */
export async function chooseDriver(name: string | undefined, path: string): Promise<DriverEntry> {
  const named = name === undefined ? undefined : findDriver(name);
  if (named) return named;
  const port = (await listSerialPorts()).find((known) => known.path === path);
  const fitting = port ? detectDrivers(port) : [];
  if (fitting.length === 1) return fitting[0]!;
  const names = fitting.map((row) => row.name).join(', ');
  const why =
    names === ''
      ? `no driver is detected for ${path}, choose one of: ${DRIVER_NAMES.join(', ')}`
      : `${path} may be: ${names}`;
  throw new Fault('bad_setting', `--driver is missing: ${why}; 'tapbench readers' shows what is plugged in`);
}
