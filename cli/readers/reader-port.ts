import type { DriverEntry, DriverParts } from '../../agent/readers/driver.ts';
import type { OpenPort } from '../../agent/readers/byte-port.ts';
import { detectDrivers, DRIVER_NAMES, DRIVERS, findDriver } from '../../agent/readers/drivers.ts';
import { loadPcsc } from '../../agent/readers/pcsc/library.ts';
import { PCSC_PREFIX } from '../../agent/readers/pcsc/session.ts';
import { listSerialPorts, openSerialPort } from '../../agent/readers/serial-port.ts';
import { openTcpPort, TCP_PREFIX } from '../../agent/readers/tcp-port.ts';
import { openTlsPort, TLS_PREFIX } from '../../agent/readers/tls-port.ts';
import { Fault } from '../../protocol/failures.ts';

/**
 * Returns how a driver reaches its device at a port: a serial device, `tcp://host:port`, `tls://host:port`, or
 * `pcsc:NAME` for a reader of the smart card service.
 */
export function devicePort(path: string, row: DriverEntry, ca?: string): Pick<DriverParts, 'open' | 'pcsc'> {
  const open = portOpener(path, row, ca);
  return row.overPcsc ? { open, pcsc: { reader: path.slice(PCSC_PREFIX.length), load: loadPcsc } } : { open };
}

function portOpener(path: string, { overTcp, overTls }: DriverEntry, ca?: string): OpenPort {
  if (path.startsWith(TCP_PREFIX) && overTcp) return openTcpPort(path, overTcp);
  if (path.startsWith(TLS_PREFIX) && overTls) return openTlsPort(path, overTls, ca);
  return openSerialPort(path);
}

/** Returns how a driver reaches the address of a port; undefined for a serial device, and where it cannot. */
function networkOf(path: string, { overTcp, overTls }: DriverEntry) {
  if (path.startsWith(TCP_PREFIX)) return overTcp;
  return path.startsWith(TLS_PREFIX) ? overTls : undefined;
}

function isPcsc(path: string): boolean {
  return path.startsWith(PCSC_PREFIX);
}

function isInNetwork(path: string): boolean {
  return path.startsWith(TCP_PREFIX) || path.startsWith(TLS_PREFIX);
}

/**
 * Returns the named driver, or the only one that fits the device at the port.
 * @throws Fault `bad_setting` when none or several fit, or the driver needs another kind of port.
 */
export async function chooseDriver(name: string | undefined, path: string): Promise<DriverEntry> {
  const named = name === undefined ? undefined : findDriver(name);
  const fitting = await driversFor(path);
  if (named && isInNetwork(path) && !networkOf(path, named)) {
    const names = fitting.map((row) => row.name).join(', ');
    const protocol = path.startsWith(TLS_PREFIX) ? 'TLS' : 'TCP';
    const needs = `--driver ${named.name} needs ${kindOfPort(named)}, not ${path}`;
    throw new Fault('bad_setting', `${needs}; over ${protocol}: ${names}`);
  }
  if (named?.needsNetwork && !isInNetwork(path))
    throw new Fault('bad_setting', `--driver ${named.name} needs ${kindOfPort(named)}, not ${path}`);
  if (named && (named.overPcsc ?? false) !== isPcsc(path))
    throw new Fault('bad_setting', `--driver ${named.name} needs ${kindOfPort(named)}, not ${path}`);
  if (named) return named;
  if (fitting.length === 1) return fitting[0]!;
  const names = fitting.map((row) => row.name).join(', ');
  const why =
    names === ''
      ? `no driver is detected for ${path}, choose one of: ${DRIVER_NAMES.join(', ')}`
      : `${path} may be: ${names}`;
  throw new Fault('bad_setting', `--driver is missing: ${why}; 'tapbench readers' shows what is plugged in`);
}

function kindOfPort({ overTcp, overTls, overPcsc, needsNetwork }: DriverEntry): string {
  if (overPcsc) return 'a port like pcsc:NAME';
  if (overTls) return 'an address like tls://10.0.0.7';
  return overTcp && needsNetwork ? 'an address like tcp://10.0.0.7' : 'a serial port';
}

/** Returns the drivers that fit a port: those for the network, or those that its USB id suggests. */
async function driversFor(path: string): Promise<DriverEntry[]> {
  if (isInNetwork(path)) return DRIVERS.filter((row) => networkOf(path, row));
  if (isPcsc(path)) return DRIVERS.filter((row) => row.overPcsc);
  const port = (await listSerialPorts()).find((known) => known.path === path);
  return port ? detectDrivers(port) : [];
}

/** Returns the drivers that may fit a device instead of one that failed; for an unknown device all of its kind of port. */
export async function otherDrivers(failed: DriverEntry, path: string): Promise<DriverEntry[]> {
  const fitting = await driversFor(path);
  const onLines = DRIVERS.filter((row) => !row.overPcsc);
  const candidates = fitting.length > 0 || isInNetwork(path) ? fitting : onLines;
  return candidates.filter((row) => row.name !== failed.name);
}
