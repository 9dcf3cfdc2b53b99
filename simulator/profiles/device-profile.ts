import { Fault } from '../../protocol/failures.ts';
import { checker, Type, type Static } from '../../protocol/schema.ts';
import countertop from './countertop.json' with { type: 'json' };
import paxA920Pro from './pax-a920-pro.json' with { type: 'json' };
import pinPad from './pin-pad.json' with { type: 'json' };
import pocketReader from './pocket-reader.json' with { type: 'json' };

/** Interfaces of a reader. Phone wallets use the contactless one. */
export const ReaderInterface = Type.Enum(['Contactless', 'Contact', 'Swipe']);
export type ReaderInterface = Static<typeof ReaderInterface>;

/** Format of the files in this folder, each a terminal model. Version 1. */
export const DeviceProfile = Type.Object(
  {
    version: Type.Literal(1),
    deviceType: Type.String({
      minLength: 1,
      maxLength: 50,
      description: 'Model, as the terminal reports it and the dashboard shows it',
    }),
    firmware: Type.String({ minLength: 1, maxLength: 50 }),
    screenColumns: Type.Integer({ minimum: 8, maximum: 80, description: 'Longer lines are wrapped' }),
    hasPrinter: Type.Boolean(),
    readLatencyMs: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: 'From card presented to card read',
    }),
    interfaces: Type.Array(ReaderInterface, { minItems: 1, uniqueItems: true }),
  },
  { additionalProperties: false },
);
export type DeviceProfile = Static<typeof DeviceProfile>;

// All files of this folder by name.
const PROFILES: Record<string, unknown> = {
  'pax-a920-pro': paxA920Pro,
  countertop,
  'pin-pad': pinPad,
  'pocket-reader': pocketReader,
};

export const DEFAULT_DEVICE = 'pax-a920-pro';

export const DEVICE_NAMES = Object.keys(PROFILES);

const devices = new Map<string, DeviceProfile>();
const checkProfile = checker(DeviceProfile);

/**
 * Validates a device profile.
 * @throws Fault `internal`, naming the field, when it is not valid.
 */
export function deviceOf(name: string, value: unknown): DeviceProfile {
  const problem = checkProfile(value)[0];
  if (problem) throw new Fault('internal', `device profile ${name}: ${problem.path} ${problem.message}`);
  return value as DeviceProfile;
}

/** Returns a device by name, validated at its first use and shared; undefined when there is none. */
export function deviceNamed(name: string): DeviceProfile | undefined {
  const known = devices.get(name);
  if (known || !Object.hasOwn(PROFILES, name)) return known;
  const device = deviceOf(name, PROFILES[name]);
  devices.set(name, device);
  return device;
}

/** Returns the device with this `device.type`; the default device for an unknown type. */
export function deviceOfType(deviceType: string | undefined): DeviceProfile {
  const all = DEVICE_NAMES.map((name) => deviceNamed(name)!);
  return all.find((device) => device.deviceType === deviceType) ?? deviceNamed(DEFAULT_DEVICE)!;
}
