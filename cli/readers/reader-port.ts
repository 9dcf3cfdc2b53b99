import type { DriverEntry } from '../../agent/readers/driver.ts';
import type { OpenPort } from '../../agent/readers/byte-port.ts';
import { detectDrivers, DRIVER_NAMES, DRIVERS, findDriver } from '../../agent/readers/drivers.ts';
import { listSerialPorts, openSerialPort } from '../../agent/readers/serial-port.ts';
import { openTcpPort } from '../../agent/readers/zvt/tcp-port.ts';
import { Fault } from '../../protocol/failures.ts';

const TCP = 'tcp://';

/** Returns the opener for a port: a serial device, or `tcp://host:port`. */
export function portOpener(path: string): OpenPort {
  return path.startsWith(TCP) ? openTcpPort(path) : openSerialPort(path);
}

/**
 * Returns the named driver, or the only one that fits the device at the port.
 * @throws Fault `bad_setting` when none or several fit, or the driver needs another kind of port.
 */
export async function chooseDriver(name: string | undefined, path: string): Promise<DriverEntry> {
  const named = name === undefined ? undefined : findDriver(name);
  const fitting = await driversFor(path);
  if (named && path.startsWith(TCP) && !named.overTcp) {
    const names = fitting.map((row) => row.name).join(', ');
    const needs = `--driver ${named.name} needs a serial port, not ${path}`;
    throw new Fault('bad_setting', `${needs}; over TCP: ${names}`);
  }
  if (named) return named;
  if (fitting.length === 1) return fitting[0]!;
  const names = fitting.map((row) => row.name).join(', ');
  const why =
    names === ''
      ? `no driver is detected for ${path}, choose one of: ${DRIVER_NAMES.join(', ')}`
      : `${path} may be: ${names}`;
  throw new Fault('bad_setting', `--driver is missing: ${why}; 'tapbench readers' shows what is plugged in`);
}

/** Returns the drivers that fit a port: those for the network, or those that its USB id suggests. */
async function driversFor(path: string): Promise<DriverEntry[]> {
  if (path.startsWith(TCP)) return DRIVERS.filter((row) => row.overTcp);
  const port = (await listSerialPorts()).find((known) => known.path === path);
  return port ? detectDrivers(port) : [];
}

/** Returns the drivers that may fit a device instead of one that failed; for an unknown device all of its kind of port. */
export async function otherDrivers(failed: DriverEntry, path: string): Promise<DriverEntry[]> {
  const fitting = await driversFor(path);
  const candidates = fitting.length > 0 || path.startsWith(TCP) ? fitting : DRIVERS;
  return candidates.filter((row) => row.name !== failed.name);
}
