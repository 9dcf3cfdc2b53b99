import type { DriverEntry } from '../../agent/readers/driver.ts';
import type { ListedPort } from '../../agent/readers/serial-port.ts';
import { messageOf } from '../../protocol/failures.ts';
import { command } from '../command-line/command.ts';
import { json, printJson, printLine, printTable } from '../command-line/output.ts';

export const readers = command({
  name: 'readers',
  details:
    "Lists the serial ports, and the readers of the system's smart card service. A USB serial bridge does not identify the device behind it: `tapbench doctor PORT --driver NAME` tests it. Twins on a pty and terminals on TCP are not listed.",
  parameters: {},
  options: { json },
  examples: [{ line: 'tapbench readers', description: 'lists each port with the drivers that may fit' }],
  async run({ context, options }) {
    const [{ detectDrivers, DRIVERS }, { listSerialPorts }, { PCSC_PREFIX, listPcscReaders }, { loadPcsc }] =
      await Promise.all([
        import('../../agent/readers/drivers.ts'),
        import('../../agent/readers/serial-port.ts'),
        import('../../agent/readers/pcsc/session.ts'),
        import('../../agent/readers/pcsc/library.ts'),
      ]);
    const lines = (await listSerialPorts()).map((port) => ({
      ...port,
      drivers: detectDrivers(port).map(({ name }) => name),
    }));
    // A machine without the service may have serial ports.
    let noService: string | undefined;
    const names = await listPcscReaders(loadPcsc).catch((error: unknown) => {
      noService = messageOf(error);
      return [];
    });
    const found: (ListedPort & { drivers: string[] })[] = [
      ...lines,
      ...names.map((name) => ({ path: `${PCSC_PREFIX}${name}`, drivers: ['pcsc'] })),
    ];
    if (options.json) return printJson(context.out, found);
    if (noService !== undefined) printLine(context.err, `No PC/SC readers: ${noService}`);
    if (found.length > 0) {
      const rows = found.map(({ path, vendorId, productId, manufacturer, drivers }) => [
        path,
        vendorId ? `${vendorId}:${productId ?? ''}` : '-',
        manufacturer ?? '-',
        drivers.join(', ') || '-',
      ]);
      return printTable(context.out, [['PORT', 'USB ID', 'MAKER', 'DRIVERS'], ...rows]);
    }
    context.out.write('No serial port and no PC/SC reader is plugged in. Drivers:\n');
    printTable(
      context.out,
      DRIVERS.map((driver) => [`  ${driver.name}`, [driver.title, ...networkOf(driver)].join(', ')]),
    );
    context.out.write("Without a device: 'tapbench twin pn532 --link ./ttyReader' simulates one.\n");
  },
});

/** How a device is reached in the network, if it is. */
function networkOf({ overTcp, overTls, needsNetwork }: DriverEntry): string[] {
  const address = overTcp ? 'tcp://host:port' : overTls && 'tls://host:port';
  if (!address) return [];
  return [needsNetwork ? address : `serial or ${address}`];
}
