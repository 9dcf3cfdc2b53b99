import type { TwinEntry } from './twin.ts';

/** Every twin. A driver of agent/readers/drivers.ts has the name of the twin of its device. */
export const TWINS: readonly TwinEntry[] = [
  {
    name: 'pn532',
    title: 'NXP PN532 board, contactless',
    line: { baudRate: 115_200 },
    technologies: ['Contactless'],
    defaultCard: 'visa-contactless',
    load: () => import('./pn532.twin.ts'),
  },
  {
    name: 'ccid',
    title: 'serial CCID reader, contact',
    line: { baudRate: 115_200 },
    technologies: ['Contact'],
    defaultCard: 'visa-contact-pin',
    load: () => import('./ccid.twin.ts'),
  },
  {
    name: 'vivotech',
    title: 'ID TECH reader with ViVOtech2',
    line: { baudRate: 115_200 },
    technologies: ['Contactless', 'Contact'],
    defaultCard: 'visa-contactless',
    load: () => import('./vivotech.twin.ts'),
  },
  {
    name: 'zvt',
    title: 'ZVT payment terminal',
    line: { baudRate: 9_600, stopBits: 2 },
    technologies: ['Contactless', 'Contact'],
    defaultCard: 'visa-contactless',
    overTcp: true,
    hasBank: true,
    load: () => import('./zvt.twin.ts'),
  },
  {
    name: 'caisse-ap',
    title: 'Caisse-AP payment terminal',
    line: { baudRate: 9_600 },
    technologies: ['Contactless', 'Contact'],
    defaultCard: 'visa-contactless',
    overTcp: true,
    networkPort: 8_888,
    hasBank: true,
    load: () => import('./caisse-ap.twin.ts'),
  },
  {
    name: 'ecr17',
    title: 'ECR17 payment terminal',
    line: { baudRate: 9_600 },
    technologies: ['Contactless', 'Contact'],
    defaultCard: 'visa-contactless',
    overTcp: true,
    hasBank: true,
    load: () => import('./ecr17.twin.ts'),
  },
  {
    name: 'concert',
    title: 'Concert payment terminal',
    line: { baudRate: 9_600 },
    technologies: ['Contactless', 'Contact'],
    defaultCard: 'visa-contactless',
    hasBank: true,
    load: () => import('./concert.twin.ts'),
  },
  {
    name: 'nexo',
    title: 'nexo payment terminal',
    line: { baudRate: 9_600 },
    technologies: ['Contactless', 'Contact'],
    defaultCard: 'visa-contactless',
    overTcp: true,
    networkPort: 8_443,
    manyConnections: true,
    hasBank: true,
    load: () => import('./nexo.twin.ts'),
  },
];

export function findTwin(name: string): TwinEntry | undefined {
  return TWINS.find((row) => row.name === name);
}

/** The stand-alone payment terminals, each named by the language that its till speaks. */
export const PAYMENT_TERMINALS = TWINS.filter(({ hasBank }) => hasBank);

/** The receipt printer. It takes no cards and has no driver of a reader. */
export const RECEIPT_PRINTER = { name: 'escpos', title: 'ESC/POS receipt printer' };

/** What can stand beside a simulated terminal: a payment terminal that it is the till of, or its receipt printer. */
export const DEVICES_BESIDE: readonly Pick<TwinEntry, 'name' | 'title'>[] = [
  ...PAYMENT_TERMINALS,
  RECEIPT_PRINTER,
];

/**
 * Returns the name of the twin beside a simulated terminal, by its serial number, such as `SIM-NEXO-0001`; undefined for
 * none (docs/choices.md, Simulated terminals).
 */
export function twinOf(serialNumber: string): string | undefined {
  return DEVICES_BESIDE.find(({ name }) => serialNumber.startsWith(`SIM-${name.toUpperCase()}-`))?.name;
}
