/** Amounts and simulators: a serial number that begins so is played by a simulator (docs/choices.md). */
const SIMULATED_PREFIX = 'SIM';

export function isSimulated(serialNumber: string): boolean {
  return serialNumber.startsWith(SIMULATED_PREFIX);
}

/** What a terminal is called until it says itself what it is, by how its serial number begins. */
export function deviceTypeOf(serialNumber: string): string {
  if (isSimulated(serialNumber)) return 'Simulated terminal';
  if (/^185\d{7}$/.test(serialNumber)) return 'PAX A920 Pro';
  return 'Card terminal';
}

/** A terminal's name when it is registered without one: device type and the end of the serial number. */
export function defaultName(serialNumber: string): string {
  return `${deviceTypeOf(serialNumber)} ${serialNumber.slice(-4)}`;
}
