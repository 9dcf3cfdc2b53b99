import { command } from '../command-line/command.ts';
import { json, printJson, printTable } from '../command-line/output.ts';

export const readers = command({
  name: 'readers',
  details:
    'A USB serial bridge does not identify the device behind it: `tapbench doctor PORT --driver NAME` tests it. Twins on a pty and terminals on TCP are not listed.',
  parameters: {},
  options: { json },
  examples: [
    { line: 'tapbench readers', description: 'lists each serial port with the drivers that may fit' },
  ],
  async run({ context, options }) {
    const [{ detectDrivers }, { listSerialPorts }, { DRIVERS }] = await Promise.all([
      import('../../agent/readers/drivers.ts'),
      import('../../agent/readers/serial-port.ts'),
      import('../../agent/readers/drivers.ts'),
    ]);
    const found = (await listSerialPorts()).map((port) => ({
      ...port,
      drivers: detectDrivers(port).map(({ name }) => name),
    }));
    if (options.json) return printJson(context.out, found);
    if (found.length > 0) {
      const rows = found.map(({ path, vendorId, productId, manufacturer, drivers }) => [
        path,
        vendorId ? `${vendorId}:${productId ?? ''}` : '-',
        manufacturer ?? '-',
        drivers.join(', ') || '-',
      ]);
      return printTable(context.out, [['PORT', 'USB ID', 'MAKER', 'DRIVERS'], ...rows]);
    }
    context.out.write('No serial port is plugged in. Drivers:\n');
    printTable(
      context.out,
      DRIVERS.map(({ name, title }) => [`  ${name}`, title]),
    );
    context.out.write("Without a device: 'tapbench twin pn532 --link ./ttyReader' simulates one.\n");
  },
});
