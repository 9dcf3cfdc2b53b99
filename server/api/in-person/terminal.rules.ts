/** Serial numbers of simulated terminals begin with this (docs/choices.md). */
const SIMULATED_PREFIX = 'SIM';

export function isSimulated(serialNumber: string): boolean {
  return serialNumber.startsWith(SIMULATED_PREFIX);
}

/** Device type by prefix of the serial number, until the terminal reports its own. */
export function deviceTypeOf(serialNumber: string): string {
  if (isSimulated(serialNumber)) return 'Simulated terminal';
  if (/^185\d{7}$/.test(serialNumber)) return 'PAX A920 Pro';
  return 'Card terminal';
}

/** Returns the default name of a terminal: device type and the end of the serial number. */
export function defaultName(serialNumber: string): string {
  return `${deviceTypeOf(serialNumber)} ${serialNumber.slice(-4)}`;
}
