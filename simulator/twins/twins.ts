import type { TwinEntry } from './twin.ts';

/** Every twin. Each simulates the device of the driver with the same name in agent/readers/drivers.ts. */
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
    load: () => import('./zvt.twin.ts'),
  },
];

export function findTwin(name: string): TwinEntry | undefined {
  return TWINS.find((row) => row.name === name);
}
