import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BytePort } from '../../../agent/readers/byte-port.ts';
import { createSerialParser, createTcpParser, encodeApdu } from '../../../agent/readers/zvt/frame.ts';
import { createZvtTerminal } from '../../../agent/readers/zvt/terminal.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { createZvtFixture } from '../../simulator/twins/zvt-fixture.ts';
import { rawCashRegister } from '../../simulator/twins/zvt-cash-register.ts';
import { temporaryFiles } from '../brokers/child-broker.ts';
import { runProgram } from '../kit/run-program.ts';

/** Link type 147: what it carries is agreed upon with whoever reads it (pcap, LINKTYPE_USER0). */
const USER_0 = 147;

interface Packet {
  atMs: number;
  apdu: Uint8Array;
}

/** A capture file in the classic form: microseconds, this machine's byte order. */
function pcapOf(packets: Packet[]): Buffer {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(65_535, 16);
  header.writeUInt32LE(USER_0, 20);
  const records = packets.map(({ atMs, apdu }) => {
    const record = Buffer.alloc(16);
    record.writeUInt32LE(Math.floor(atMs / 1000), 0);
    record.writeUInt32LE((atMs % 1000) * 1000, 4);
    record.writeUInt32LE(apdu.length, 8);
    record.writeUInt32LE(apdu.length, 12);
    return Buffer.concat([record, apdu]);
  });
  return Buffer.concat([header, ...records]);
}

/** A payment, its reversal, a decline and an end of day, as they went over the line: the commands of both ends. */
async function capture(path: string): Promise<Packet[]> {
  const createParser = path.startsWith('tcp:') ? createTcpParser : createSerialParser;
  const packets: Packet[] = [];
  // Both directions are heard at the driver's end.
  const tapped = (port: BytePort): BytePort => {
    const [sent, heard] = [createParser(), createParser()];
    const note = (parser: typeof sent, bytes: Uint8Array) => {
      for (const frame of parser.push(bytes)) {
        if (frame.type === 'apdu')
          packets.push({ atMs: fixture.clock.nowMs(), apdu: encodeApdu(frame.apdu) });
      }
    };
    return {
      ...port,
      write(bytes) {
        note(sent, bytes);
        return port.write(bytes);
      },
      onData: (listener) =>
        port.onData((bytes) => {
          note(heard, bytes);
          listener(bytes);
        }),
    };
  };
  const fixture = createZvtFixture({ path, cable: (near, far) => [tapped(near), far] });
  const request = fixture.start();
  fixture.present('visa-contactless');
  await fixture.clock.advance(10_000);
  const fact = fixture.last;
  if (fact?.type !== 'device.approved') throw new Error('the payment was not approved');
  fixture.reader.end();
  const reversed = fixture.reader.reverse!(request, fact.approval);
  await fixture.clock.advance(10_000);
  await reversed;
  fixture.start({ amountMinor: 1_901 });
  await fixture.clock.advance(10_000);
  fixture.reader.end();
  await fixture.reader.close();

  const terminal = createZvtTerminal(fixture.parts);
  const closed = Promise.all([terminal.checkReady(), terminal.endOfDay()]);
  await fixture.clock.advance(20_000);
  await closed;
  await terminal.close();
  return packets;
}

/** Commands that are not in the dissector's table: it shows their bytes. */
const UNKNOWN_TO_IT = /^(0501|0602|0610|0618|0620|0622|0623|06C0|06E0)/;

/** What the terminal does beside payments, as the bytes of a cash register that is not ours ask for it. */
async function captureOfTheRest(): Promise<Packet[]> {
  const register = rawCashRegister();
  const commands = [
    '06 00 08 00 00 00 BE 09 78 06 00',
    '05 01 05 00 00 00 03 06',
    '06 70 00',
    '06 93 03 00 00 00',
    '06 22 07 04 00 00 00 00 20 00',
    '06 23 0A 87 00 01 04 00 00 00 00 15 00',
    '06 10 03 00 00 00',
    '06 C0 01 05',
    '06 E0 04 F1 F0 F1 41',
    '06 18 00',
    '06 02 00',
  ];
  register.present('visa-contactless');
  for (const command of commands) await register.send(command, 60_000);
  return register.exchanged.map(({ atMs, message }) => ({ atMs, apdu: fromHex(message) }));
}

/** What is output either way, and how receipts are printed over a serial line and over TCP. */
const SAID = [
  'Control-field: Registration (0x0600)',
  'Control-field: Authorisation (0x0601)',
  'Control-field: Reversal (0x0630)',
  'Control-field: End Of Day (0x0650)',
  'Currency Code: EUR (0x0978)',
  'Amount: 1742',
  'Card number: 401200??????0085',
  'Card name: VISA CREDIT',
];
const LINES = ['Control-field: Print Line (0x06d1)'];
const BLOCKS = [
  'Control-field: Print Text Block (0x06d3)',
  'Receipt type: Transaction receipt (merchant)',
  'Text line:     H Ä N D L E R B E L E G',
  'Text line:      K U N D E N B E L E G',
];

/** What tshark has to say of packets. */
async function dissected(packets: Packet[]): Promise<string> {
  const { directory, remove } = temporaryFiles([]);
  try {
    const file = join(directory, 'payment.pcap');
    writeFileSync(file, pcapOf(packets));
    const asZvt = 'uat:user_dlts:"User 0 (DLT=147)","zvt","0","","0",""';
    const { code, output } = await runProgram('tshark', ['-r', file, '-o', asZvt, '-V']);
    expect(code).toBe(0);
    expect(output).not.toMatch(/malformed/i);
    const known = packets.filter(({ apdu }) => !UNKNOWN_TO_IT.test(toHex(apdu)));
    expect(output.match(/ZVT APDU$/gm)).toHaveLength(known.length);
    return output;
  } finally {
    remove();
  }
}

test.each([
  ['cable', LINES],
  ['tcp://192.0.2.1', BLOCKS],
])(
  'ZVT twin: tshark reads every command between driver and twin over %s, none malformed',
  async (path, prints) => {
    const output = await dissected(await capture(path));
    for (const what of [...SAID, ...prints]) expect(output).toContain(what);
  },
);

test('ZVT twin: tshark reads what the twin returns to the other commands, none malformed', async () => {
  const output = await dissected(await captureOfTheRest());
  for (const what of ['Diagnosis (0x0670)', 'Initialisation (0x0693)', 'Status Information (0x040f)']) {
    expect(output).toContain(`Control-field: ${what}`);
  }
});
