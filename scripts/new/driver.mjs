// @ts-check
import { checkName, formsOf, UsageError } from './names.mjs';

/** The files of a driver, its twin and their tests, by their templates. */
const FILES = {
  'agent/readers/%/frame.ts': 'frame.ts.txt',
  'agent/readers/%/slot.ts': 'slot.ts.txt',
  'agent/readers/%/%.driver.ts': 'driver.ts.txt',
  'simulator/twins/%/frames.ts': 'twin-frames.ts.txt',
  'simulator/twins/%.twin.ts': 'twin.ts.txt',
  'test/agent/readers/%/frame.test.ts': 'frame.test.ts.txt',
  'test/simulator/twins/%/frames.test.ts': 'twin.test.ts.txt',
  'test/journeys/readers/%.test.ts': 'journey.test.ts.txt',
};

/**
 * A driver of a reader without a kernel, its twin, their rows and tests. The protocol is the smallest that works, and a
 * place to write that of the device.
 * @param {import('./changes.mjs').Changes} changes
 * @param {string} name
 */
export function addDriver(changes, name) {
  checkName(name);
  if (changes.has(`agent/readers/${name}`) || changes.has(`agent/readers/${name}.ts`))
    throw new UsageError(`agent/readers/${name} already exists: choose another name`);
  const values = { ...formsOf(name), title: name.toUpperCase() };
  for (const [path, template] of Object.entries(FILES))
    changes.create(path.replaceAll('%', name), `driver/${template}`, values);
  changes.append(
    'agent/readers/drivers.ts',
    'export const DRIVERS: readonly DriverEntry[] = [',
    `  {
    name: '${name}',
    title: '${values.title} reader, contactless',
    line: { baudRate: 115_200 },
    authoriser: 'server',
    usb: [],
    load: async () => (await import('./${name}/${name}.driver.ts')).driver,
  },`,
  );
  changes.append(
    'simulator/twins/twins.ts',
    'export const TWINS: readonly TwinEntry[] = [',
    `  {
    name: '${name}',
    title: '${values.title} reader, contactless',
    line: { baudRate: 115_200 },
    technologies: ['Contactless'],
    defaultCard: 'visa-contactless',
    load: () => import('./${name}.twin.ts'),
  },`,
  );
  for (const opening of ['const DRIVER_NAMES = [', 'export const TWIN_NAMES = [']) {
    const options = changes.filesIn('cli').find((path) => changes.read(path).includes(opening));
    if (!options) throw new Error(`cli has no '${opening}'`);
    // The list may end with a comma, and never begins with one.
    changes.insertInside(options, opening, "'", `'${name}', `);
  }
  return [
    `agent/readers/${name}/ has the smallest protocol that works: write that of the device, then the twin from its manual`,
    'its USB ids go into agent/readers/drivers.ts; docs/readers/adding-a-driver.md has the further steps',
  ];
}
