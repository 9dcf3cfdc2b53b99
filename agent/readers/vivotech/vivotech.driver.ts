import { Fault, messageOf } from '../../../protocol/failures.ts';
import { silentLog } from '../../../protocol/log.ts';
import type { LineSettings } from '../byte-port.ts';
import { createDeviceConnection } from '../device-connection.ts';
import { runChecks } from '../device-checks.ts';
import type { DriverModule, DriverParts, CheckResult } from '../driver.ts';
import type { Reader } from '../reader.ts';
import { configuration } from './commands.ts';
import { createHostParser } from './frame.ts';
import { createLink, type VivotechLink } from './link.ts';
import { createVivotechReader } from './vivotech-reader.ts';

const LINE: LineSettings = { baudRate: 115_200 };

/** Many models leave the factory as HID devices, and then there is no serial port to open. */
const HID_ADVICE =
  'many ID TECH readers are shipped in USB-HID mode, which has no serial port: set them to USB-CDC or RS-232 with the tools of their maker';

/** Driver of ID TECH readers that speak ViVOtech2 (NEO and NEO 2): payment readers with an EMV kernel of their own. */
export const driver: DriverModule = { createReader, diagnose };

function createReader(parts: DriverParts): Reader {
  const connection = createDeviceConnection({
    open: (settings) => openSerial(parts, settings),
    settings: LINE,
    clock: parts.clock,
    log: parts.log,
    trace: parts.trace,
    parser: createHostParser,
    handshake: (channel) => prepare(createLink(channel, parts.clock), parts),
  });
  return createVivotechReader({ ...parts, connection });
}

async function openSerial(parts: DriverParts, settings: LineSettings) {
  try {
    return await parts.open(settings);
  } catch (error) {
    throw new Fault('reader', `${messageOf(error)}; ${HID_ADVICE}`, { cause: error });
  }
}

/** Checks that the reader responds, sets poll on demand, and configures it. */
async function prepare(link: VivotechLink, { countryCode }: DriverParts): Promise<void> {
  const onDemand = Uint8Array.of(0x01);
  await link.exchange('ping');
  await link.exchange('setPollMode', onDemand);
  await link.exchange('setConfiguration', configuration(countryCode));
}

async function* diagnose(parts: DriverParts): AsyncIterable<CheckResult> {
  const steps: { step: string; run(link: VivotechLink): Promise<string>; advice: string }[] = [
    {
      step: 'ping (18-01)',
      run: async (link) => (await link.exchange('ping'), 'answers'),
      advice: `is it this reader, at 115200 baud? ${HID_ADVICE}`,
    },
    {
      step: 'firmware version (29-00)',
      run: async (link) => printable(await link.exchange('version')),
      advice: 'power the reader off and on',
    },
    {
      step: 'configuration (03-02)',
      run: async (link) => `${(await link.exchange('getConfiguration')).length} bytes`,
      advice: 'power the reader off and on',
    },
  ];
  const connection = createDeviceConnection({
    open: parts.open,
    settings: LINE,
    clock: parts.clock,
    log: silentLog, // the findings say why
    trace: parts.trace,
    parser: createHostParser,
  });
  try {
    yield* runChecks([
      {
        step: 'open the port',
        advice: `may you open the port? ${HID_ADVICE}`,
        run: () => connection.exchange(LIMIT_MS, async () => '115200 baud, 8N1'),
      },
      ...steps.map(({ step, advice, run }) => ({
        step,
        advice,
        run: () => connection.exchange(LIMIT_MS, (channel) => run(createLink(channel, parts.clock))),
      })),
    ]);
  } finally {
    await connection.close();
  }
}

const LIMIT_MS = 20_000;

function printable(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, 60);
}
