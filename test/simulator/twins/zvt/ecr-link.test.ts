import { expect, test } from 'vitest';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';
import { apduBytes, type Apdu } from '../../../../simulator/twins/zvt/apdu.ts';
import { createEcrTransport, type TransportType } from '../../../../simulator/twins/zvt/ecr-link.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';
import { bytePipe } from '../../../../simulator/twins/byte-pipe.ts';

const ACK = '06';
const NAK = '15';
// Blocks with their checks: 80 00 00, and 06 0F 00 without data.
const POSITIVE_BLOCK = '10028000001003F51F';
const COMPLETION: Apdu = { control: 0x060f, data: new Uint8Array(0) };
const COMPLETION_BLOCK = '1002060F001003C633';

/** The terminal's line, and a cash register of which each byte is written by the test. */
function fixture(transport: TransportType = 'serial') {
  const clock = new VirtualClock(0);
  const [register, terminal] = bytePipe({ clock, latencyMs: 1 });
  const line = createEcrTransport({ port: terminal, clock, transport });
  const arrived: string[] = [];
  const results: string[] = [];
  register.onData((bytes) => arrived.push(toHex(bytes)));
  const note = (work: Promise<Apdu | undefined | void>) =>
    void work.then(
      (apdu) => results.push(apdu ? toHex(apduBytes(apdu)) : 'nothing'),
      (error: Error) => results.push(error.message),
    );
  return {
    clock,
    line,
    register,
    arrived,
    results,
    note,
    async write(...blocks: string[]) {
      for (const block of blocks) await register.write(fromHex(block));
      await clock.advance(10);
    },
  };
}

test('ECR transport: acknowledges a block when it arrives, and keeps it until it is received', async () => {
  const { write, arrived, note, results, line, clock } = fixture();
  await write(POSITIVE_BLOCK);
  expect(arrived).toEqual([ACK]);
  note(line.next(1_000));
  await clock.advance(0);
  expect(results).toEqual(['800000']);
});

test('ECR transport: rejects a damaged block', async () => {
  const { write, arrived, note, results, line, clock } = fixture();
  await write('10028000001003F51E');
  expect(arrived).toEqual([NAK]);
  note(line.next(1_000));
  await clock.advance(1_000);
  expect(results).toEqual(['nothing']);
});

test('ECR transport: acknowledges a repeated command each time and returns it once', async () => {
  const { write, arrived, note, results, line, clock } = fixture();
  await write(COMPLETION_BLOCK, COMPLETION_BLOCK);
  expect(arrived).toEqual([ACK, ACK]);
  note(line.send({ control: 0x8000, data: new Uint8Array(0) }));
  await clock.advance(10);
  expect(arrived.at(-1)).toBe(POSITIVE_BLOCK);
  await write(ACK, COMPLETION_BLOCK);
  for (const _ of [1, 2, 3]) note(line.next(100));
  await clock.advance(100);
  expect(results).toEqual(['nothing', '060F00', '060F00', 'nothing']);
});

test('ECR transport: sends a block up to three times, after a NAK or a timeout', async () => {
  const { write, arrived, note, results, line, clock } = fixture();
  note(line.send(COMPLETION));
  await write(NAK);
  expect(arrived).toEqual([COMPLETION_BLOCK, COMPLETION_BLOCK]);
  await clock.advance(1_900);
  expect(arrived).toHaveLength(2);
  await clock.advance(200);
  expect(arrived).toHaveLength(3);
  await clock.advance(2_500);
  expect(arrived).toHaveLength(3);
  expect(results).toEqual(['the ECR does not acknowledge']);
});

test('ECR transport: a response implies a lost ACK', async () => {
  const { write, arrived, note, results, line, clock } = fixture();
  note(line.send(COMPLETION));
  await write(POSITIVE_BLOCK);
  note(line.next(1_000));
  await clock.advance(3_000);
  expect(arrived).toEqual([COMPLETION_BLOCK, ACK]);
  expect(results).toEqual(['nothing', '800000']);
});

test('ECR transport: a repeated response does not acknowledge the next message', async () => {
  const { write, note, results, line, clock } = fixture('tcp');
  await write('800000', '800000');
  note(line.next(100));
  await clock.advance(0);
  note(line.send(COMPLETION));
  note(line.next(100));
  await clock.advance(200);
  expect(results).toEqual(['800000', 'nothing', 'nothing']);
});

test('ECR transport: uses no blocks and acknowledgements over TCP', async () => {
  const { write, arrived, note, results, line, clock } = fixture('tcp');
  note(line.send(COMPLETION));
  await write('0501', '00800000');
  note(line.next(100));
  note(line.next(100));
  await clock.advance(100);
  expect(arrived).toEqual(['060F00']);
  expect(results).toEqual(['nothing', '050100', '800000']);
});

test('ECR transport: a wait ends with its promise, and with the connection', async () => {
  const { note, results, line, clock, register } = fixture();
  note(line.next(60_000, Promise.resolve()));
  await clock.advance(0);
  expect(results).toEqual(['nothing']);
  note(line.next(60_000));
  await register.close();
  await clock.advance(10);
  expect(results[1]).toContain('the other end hung up');
  expect(line.ended).toBe('the other end hung up');
  await expect(line.send(COMPLETION)).rejects.toThrow('the other end hung up');
});
