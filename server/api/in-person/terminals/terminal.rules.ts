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

/** Device types that the API has a word of its own for (docs/choices.md, Device types). */
const API_DEVICE_TYPES: Readonly<Record<string, string>> = { 'PAX A920 Pro': 'A920Pro' };

/** Returns a stored device type as `device.type` of the API has it. */
export function toApiDeviceType(deviceType: string): string {
  return API_DEVICE_TYPES[deviceType] ?? deviceType;
}

/** Returns the default name of a terminal: device type and the end of the serial number. */
export function defaultName(serialNumber: string): string {
  return `${deviceTypeOf(serialNumber)} ${serialNumber.slice(-4)}`;
}
