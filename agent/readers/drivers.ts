import type { DriverEntry } from './driver.ts';

/** Bridge chips between USB and a serial line. Many boards share them, so they do not identify a device. */
const BRIDGES: DriverEntry['usb'] = [
  { vendorId: '10C4', productId: 'EA60', what: 'Silicon Labs CP210x' },
  { vendorId: '1A86', productId: '7523', what: 'WCH CH340' },
  { vendorId: '0403', productId: '6001', what: 'FTDI FT232' },
  { vendorId: '067B', productId: '2303', what: 'Prolific PL2303' },
];

/** All drivers. A new driver is a folder and an entry here. */
export const DRIVERS: readonly DriverEntry[] = [
  {
    name: 'pn532',
    title: 'NXP PN532 over HSU, contactless',
    line: { baudRate: 115_200 },
    authoriser: 'server',
    usb: BRIDGES,
    load: async () => (await import('./pn532/pn532.driver.ts')).driver,
  },
  {
    name: 'ccid',
    title: 'serial CCID reader, contact',
    line: { baudRate: 115_200 },
    authoriser: 'server',
    usb: BRIDGES,
    load: async () => (await import('./ccid/ccid.driver.ts')).driver,
  },
  {
    name: 'pcsc',
    title: "PC/SC reader of the system's smart card service, pcsc:NAME",
    line: { baudRate: 9_600 },
    authoriser: 'server',
    overPcsc: true,
    usb: [],
    load: async () => (await import('./pcsc/pcsc.driver.ts')).driver,
  },
  {
    name: 'vivotech',
    title: 'ID TECH reader with ViVOtech2, contactless, contact and stripe',
    line: { baudRate: 115_200 },
    authoriser: 'server',
    usb: [{ vendorId: '0ACD', what: 'ID TECH' }],
    load: async () => (await import('./vivotech/vivotech.driver.ts')).driver,
  },
  {
    name: 'zvt',
    title: 'ZVT payment terminal',
    line: { baudRate: 9_600, stopBits: 2 },
    authoriser: 'device',
    overTcp: { port: 20_007, setTo: 'ZVT over TCP' }, // PA00P016 §5
    usb: BRIDGES,
    load: async () => (await import('./zvt/zvt.driver.ts')).driver,
  },
  {
    name: 'caisse-ap',
    title: 'Caisse-AP payment terminal',
    line: { baudRate: 9_600 },
    authoriser: 'device',
    mayLoseOutcome: true,
    overTcp: { port: 8_888, setTo: 'Caisse-AP over IP' },
    needsNetwork: true,
    usb: [],
    load: async () => (await import('./caisse-ap/caisse-ap.driver.ts')).driver,
  },
  {
    name: 'ecr17',
    title: 'ECR17 payment terminal',
    line: { baudRate: 9_600 },
    authoriser: 'device',
    mayLoseOutcome: true,
    // Terminals have no common port: it is set in their menu.
    overTcp: { port: 1_024, setTo: 'ECR17 with this port' },
    usb: BRIDGES,
    load: async () => (await import('./ecr17/ecr17.driver.ts')).driver,
  },
  {
    name: 'concert',
    title: 'Concert payment terminal, serial',
    line: { baudRate: 9_600, dataBits: 7, parity: 'even' },
    authoriser: 'device',
    mayLoseOutcome: true,
    usb: BRIDGES,
    load: async () => (await import('./concert/concert.driver.ts')).driver,
  },
  {
    name: 'nexo',
    title: 'nexo payment terminal',
    line: { baudRate: 9_600 },
    authoriser: 'device',
    mayLoseOutcome: true,
    overTls: { port: 8_443, setTo: 'local communication' },
    readsSettings: true,
    needsNetwork: true,
    usb: [],
    load: async () => (await import('./nexo/nexo.driver.ts')).driver,
  },
];

export const DRIVER_NAMES = DRIVERS.map(({ name }) => name);

/** Returns the driver with this name. */
export function findDriver(name: string): DriverEntry | undefined {
  return DRIVERS.find((row) => row.name === name);
}

/** USB ids of a connected device, in upper-case hexadecimal. */
export interface UsbIds {
  vendorId?: string | undefined;
  productId?: string | undefined;
}

/** A driver that may match, and the chip or maker that it was matched by. */
export interface DriverSuggestion {
  driver: DriverEntry;
  what: string;
}

/** Returns the drivers that may match a connected device. */
export function suggestDrivers(port: UsbIds): DriverSuggestion[] {
  const fits = DRIVERS.flatMap((driver) => driver.usb.map((usb) => ({ driver, usb }))).filter(
    ({ usb }) =>
      usb.vendorId === port.vendorId && (usb.productId === undefined || usb.productId === port.productId),
  );
  return fits.map(({ driver, usb }) => ({ driver, what: usb.what }));
}

/** Returns the drivers that may match, without the reason. */
export function detectDrivers(port: UsbIds): DriverEntry[] {
  return suggestDrivers(port).map(({ driver }) => driver);
}
