import { expect, test } from 'vitest';
import type { BytePort } from '../../../agent/readers/byte-port.ts';
import { memoryPendingReversals } from '../../../agent/readers/pending-reversal-store.ts';
import type { CheckResult } from '../../../agent/readers/driver.ts';
import { createZvtTerminal } from '../../../agent/readers/zvt/terminal.ts';
import { driver } from '../../../agent/readers/zvt/zvt.driver.ts';
import { fromHex } from '../../../protocol/emv/hex.ts';
import type { DeviceApproval } from '../../../protocol/messages/card-data.schema.ts';
import { memoryOf } from '../../../simulator/twins/stand-alone/journal.ts';
import { counts } from '../../../simulator/twins/stand-alone/journal.ts';
import { ACTION_ID, createZvtFixture } from './zvt-fixture.ts';

/** Longer than a card, its bank and two receipts take at the twin. */
const A_SALE_MS = 4_000;

function approvalOf(fixture: ReturnType<typeof createZvtFixture>): DeviceApproval {
  const fact = fixture.last;
  if (fact?.type !== 'device.approved') throw new Error(`the last fact is ${fact?.type}`);
  return fact.approval;
}

for (const path of ['cable', 'tcp://192.0.2.1:20007']) {
  test(`ZVT driver: the bank of the terminal approves a tapped card, over ${path}`, async () => {
    const fixture = createZvtFixture({ path });
    fixture.start();
    await fixture.clock.advance(5_000);
    expect(fixture.facts).toEqual([]);
    fixture.present('visa-contactless');
    await fixture.clock.advance(A_SALE_MS);
    expect(fixture.facts).toEqual([
      {
        type: 'device.approved',
        card: expect.objectContaining({ scheme: 'Visa', entryMode: 'Contactless' }),
        approval: { authorisationCode: expect.stringMatching(/^[0-9]{6}$/), reference: '0001/52500041' },
        receipt: {
          merchantCopy: expect.stringContaining('H Ä N D L E R B E L E G'),
          customerCopy: expect.stringContaining('K U N D E N B E L E G'),
        },
      },
    ]);
    expect(JSON.stringify(fixture.facts)).toContain('17.42');
    expect(JSON.stringify(fixture.facts)).not.toMatch(/401200[0-9]{6}0085/);
    await fixture.reader.close();
  });
}

test('ZVT driver: a contact card is paid with a PIN at the terminal', async () => {
  const fixture = createZvtFixture();
  fixture.start();
  fixture.present('visa-contact-pin');
  await fixture.clock.advance(A_SALE_MS);
  expect(fixture.facts).toEqual([]);
  fixture.twin.controls['type']!.run('9999');
  fixture.twin.controls['confirm']!.run();
  await fixture.clock.advance(1_000);
  fixture.twin.controls['type']!.run('1234');
  fixture.twin.controls['confirm']!.run();
  await fixture.clock.advance(A_SALE_MS);
  expect(fixture.last).toMatchObject({ type: 'device.approved', card: { entryMode: 'Contact' } });
});

test('ZVT driver: a decline of the bank has a text', async () => {
  const fixture = createZvtFixture();
  fixture.start({ amountMinor: 1_901 });
  fixture.present('mastercard-contactless');
  await fixture.clock.advance(A_SALE_MS);
  expect(fixture.facts).toEqual([{ type: 'device.declined', reason: 'declined by the bank (33)' }]);
});

test('ZVT driver: cancel at the terminal ends the action, before the card and during PIN entry', async () => {
  const fixture = createZvtFixture();
  fixture.start();
  await fixture.clock.advance(1_000);
  fixture.twin.controls['cancel']!.run();
  await fixture.clock.advance(1_000);
  expect(fixture.facts).toEqual([{ type: 'cancel.pressed' }]);
  fixture.reader.end();

  fixture.start();
  fixture.present('visa-contact-pin');
  await fixture.clock.advance(A_SALE_MS);
  fixture.twin.controls['cancel']!.run();
  await fixture.clock.advance(1_000);
  expect(fixture.facts).toEqual([{ type: 'cancel.pressed' }, { type: 'cancel.pressed' }]);
});

test('ZVT driver: without a card the terminal times out', async () => {
  const fixture = createZvtFixture();
  fixture.start();
  await fixture.clock.advance(95_000);
  expect(fixture.facts).toEqual([{ type: 'cancel.pressed' }]);
});

test('ZVT driver: end aborts at the terminal, which is ready for the next payment', async () => {
  const fixture = createZvtFixture();
  fixture.start();
  await fixture.clock.advance(1_000);
  fixture.reader.end();
  await fixture.clock.advance(1_000);
  expect(fixture.facts).toEqual([]);
  fixture.start();
  fixture.present('visa-contactless');
  await fixture.clock.advance(A_SALE_MS);
  expect(approvalOf(fixture).reference).toBe('0001/52500041');
});

/** The reversal of the first payment of a twin. */
const REVERSED = {
  actionId: ACTION_ID,
  reference: '0001/52500041',
  amountMinor: 1742,
  currency: 'EUR',
  outcome: 'Reversed',
};

test('ZVT driver: a late approval is reversed at once', async () => {
  const fixture = createZvtFixture();
  fixture.start();
  fixture.present('visa-contactless');
  // The bank is being asked: the terminal does not abort any more.
  await fixture.clock.advance(700);
  fixture.reader.end();
  await fixture.clock.advance(A_SALE_MS);
  expect(fixture.facts).toEqual([]);
  expect(fixture.reversals).toEqual([REVERSED]);
  const report = await endOfDay(fixture);
  expect(report).toMatch(/Anzahl +0/);
});

/** What the terminal prints at its end of day. */
async function endOfDay(fixture: ReturnType<typeof createZvtFixture>): Promise<string> {
  await fixture.reader.close();
  const terminal = createZvtTerminal(fixture.parts);
  const report = terminal.endOfDay();
  await fixture.clock.advance(10_000);
  await terminal.close();
  return report;
}

test('ZVT driver: reverses a payment by its receipt number, and a second reversal changes nothing', async () => {
  const fixture = createZvtFixture();
  const request = fixture.start();
  fixture.present('visa-contactless');
  await fixture.clock.advance(A_SALE_MS);
  const approval = approvalOf(fixture);
  fixture.reader.end();
  for (let turn = 0; turn < 2; turn += 1) {
    const reversed = fixture.reader.reverse!(request, approval);
    await fixture.clock.advance(A_SALE_MS);
    await reversed;
  }
  expect(await endOfDay(fixture)).toMatch(/Anzahl +0/);
});

test('ZVT driver: a failed reversal throws with the reason', async () => {
  const fixture = createZvtFixture();
  const request = fixture.start();
  const refusals = ['0042/52500041', '0001/11111111', 'psp_1'].map(async (reference) => {
    const thrown = await fixture.reader.reverse!(request, { authorisationCode: '', reference }).catch(
      (error: Error) => error.message,
    );
    return thrown;
  });
  fixture.reader.end();
  await fixture.clock.advance(A_SALE_MS);
  expect(await Promise.all(refusals)).toEqual([
    'the terminal does not reverse it: reversal not possible',
    'that was terminal 11111111; the connected one is 52500041',
    "'psp_1' is not a receipt of a ZVT terminal",
  ]);
});

test('ZVT driver: a refund needs no PIN', async () => {
  const fixture = createZvtFixture();
  fixture.start({ type: 'Refund', amountMinor: 500 });
  fixture.present('visa-contact-pin');
  await fixture.clock.advance(A_SALE_MS);
  expect(fixture.last).toMatchObject({ type: 'device.approved' });
  expect(await endOfDay(fixture)).toMatch(/Summe EUR +-5\.00/);
});

test('ZVT twin: prints in English too', async () => {
  const fixture = createZvtFixture();
  fixture.start();
  await fixture.clock.advance(1_000);
  fixture.twin.controls['language']!.run('en');
  fixture.present('amex-contactless');
  await fixture.clock.advance(A_SALE_MS);
  expect(fixture.last).toMatchObject({
    type: 'device.approved',
    card: { scheme: 'Amex' },
    receipt: { customerCopy: expect.stringContaining('CUSTOMER COPY') },
  });
});

test('ZVT driver: unplugged before the card, the action fails without an approval and the next one works', async () => {
  const fixture = createZvtFixture();
  fixture.start();
  await fixture.clock.advance(1_000);
  await fixture.unplug();
  await fixture.clock.advance(1_000);
  expect(fixture.facts).toEqual([{ type: 'reader.failed', reason: expect.stringContaining('hung up') }]);
  fixture.reader.end();
  fixture.plugIn();
  fixture.start();
  fixture.present('visa-contactless');
  await fixture.clock.advance(20_000);
  expect(fixture.last).toMatchObject({ type: 'device.approved' });
  expect(await endOfDay(fixture)).toMatch(/Anzahl +1/);
});

test('ZVT driver: unplugged during authorisation, the approval is reversed once the connection is back', async () => {
  const fixture = createZvtFixture();
  fixture.start();
  fixture.present('visa-contactless');
  await fixture.clock.advance(900);
  await fixture.unplug();
  await fixture.clock.advance(5_000);
  expect(fixture.facts).toEqual([{ type: 'reader.failed', reason: expect.anything() }]);
  fixture.reader.end();
  fixture.plugIn();
  await fixture.clock.advance(30_000);
  expect(fixture.reversals).toEqual([REVERSED]);
  expect(await endOfDay(fixture)).toMatch(/Anzahl +0/);
});

test('ZVT driver: reconnected during a transaction, it queries the terminal after the end of it', async () => {
  const fixture = createZvtFixture();
  fixture.start();
  fixture.present('visa-contactless');
  await fixture.clock.advance(500);
  await fixture.unplug();
  fixture.plugIn();
  await fixture.clock.advance(60_000);
  expect(fixture.facts).toEqual([{ type: 'reader.failed', reason: expect.anything() }]);
  fixture.reader.end();
  expect(await endOfDay(fixture)).toMatch(/Anzahl +0/);
});

test('ZVT driver: a restarted agent reverses an approval of the process before it', async () => {
  const fixture = createZvtFixture({ pendingReversals: memoryPendingReversals() });
  fixture.start();
  fixture.present('visa-contactless');
  await fixture.clock.advance(900);
  await fixture.unplug();
  await fixture.reader.close();
  await fixture.clock.advance(A_SALE_MS);
  expect(memoryOf(fixture.tray).journal.filter(counts)).toHaveLength(1);

  fixture.plugIn();
  const reader = driver.createReader(fixture.parts);
  await fixture.clock.advance(30_000);
  expect(memoryOf(fixture.tray).journal.filter(counts)).toEqual([]);
  expect(fixture.reversals).toEqual([REVERSED]);
  await reader.close();
});

test('ZVT driver: distinguishes two identical payments', async () => {
  const fixture = createZvtFixture();
  fixture.start();
  fixture.present('visa-contactless');
  await fixture.clock.advance(A_SALE_MS);
  fixture.reader.end();
  fixture.tray.remove();

  fixture.start();
  await fixture.clock.advance(1_000);
  await fixture.unplug();
  await fixture.clock.advance(1_000);
  fixture.reader.end();
  fixture.plugIn();
  await fixture.clock.advance(30_000);
  expect(await endOfDay(fixture)).toMatch(/Anzahl +1/);
});

test('ZVT driver: without a connection the action fails at once with a reason', async () => {
  const fixture = createZvtFixture();
  fixture.plugIn();
  fixture.start();
  await fixture.clock.advance(1_000);
  await fixture.unplug();
  await fixture.clock.advance(1_000);
  fixture.reader.end();
  fixture.facts.length = 0;
  fixture.start();
  await fixture.clock.advance(1_000);
  expect(fixture.facts).toEqual([{ type: 'reader.failed', reason: 'cable is not there' }]);
});

test('ZVT driver: diagnose reports a ready terminal, and that it is a twin', async () => {
  const fixture = createZvtFixture();
  const findings: CheckResult[] = [];
  const examined = (async () => {
    for await (const finding of driver.diagnose(fixture.parts)) findings.push(finding);
  })();
  await fixture.clock.advance(20_000);
  await examined;
  expect(findings).toEqual([
    { step: 'open the port', ok: true, detail: 'cable' },
    { step: 'register (06 00)', ok: true, detail: 'TAPBENCH TWIN, terminal 52500041, our twin' },
    { step: 'last receipt (06 20)', ok: true, detail: 'none stored', showsCards: true },
    { step: 'status enquiry (05 01)', ok: true, detail: 'ready' },
  ]);
});

/** What diagnose finds at a terminal in the network that is not our twin. */
async function findingsAtRealTerminal(
  parts: { allowRealTerminal?: boolean },
  change = (bytes: Uint8Array) => bytes,
): Promise<CheckResult[]> {
  const fixture = createZvtFixture({
    path: 'tcp://192.0.2.1',
    cable: (near, far) => [heardAs(near, (bytes) => change(renamed(bytes))), far],
  });
  const findings: CheckResult[] = [];
  const { allowRealTerminal: _, ...others } = fixture.parts;
  const examined = (async () => {
    for await (const finding of driver.diagnose({ ...others, ...parts })) findings.push(finding);
  })();
  await fixture.clock.advance(30_000);
  await examined;
  return findings;
}

test('ZVT driver: diagnose names a real terminal, and fails at it only for an agent that may not use it', async () => {
  const doctor = await findingsAtRealTerminal({});
  expect(doctor.map(({ ok }) => ok)).toEqual([true, true, true, true]);
  expect(doctor[1]!.detail).toContain('ACME TERM 900, terminal 52500041, a real terminal');
  const agent = await findingsAtRealTerminal({ allowRealTerminal: false });
  expect(agent.at(-1)).toEqual({
    step: 'permission',
    ok: false,
    detail: expect.stringContaining("'ACME TERM 900' is a real payment terminal"),
    advice: expect.stringContaining('--allow-real-terminal'),
  });
  expect((await findingsAtRealTerminal({ allowRealTerminal: true })).every(({ ok }) => ok)).toBe(true);
});

test('ZVT driver: diagnose says at which step a terminal fails, with the advice for its line', async () => {
  // 06 20 is answered as an unknown command.
  const withoutRepeat = (bytes: Uint8Array) => {
    const hex = Buffer.from(bytes).toString('hex').toUpperCase();
    return hex.startsWith('061E') ? fromHex('061E01FF') : bytes;
  };
  const findings = await findingsAtRealTerminal({}, withoutRepeat);
  expect(findings.map(({ step, ok }) => [step, ok])).toEqual([
    ['open the port', true],
    ['register (06 00)', true],
    ['last receipt (06 20)', false],
  ]);
  expect(findings.at(-1)!.advice).toContain('without repeat receipt');

  const silent = await findingsAtRealTerminal({}, (bytes) => (bytes[0] === 0x06 ? fromHex('848300') : bytes));
  expect(silent.at(-1)).toMatchObject({
    step: 'register (06 00)',
    ok: false,
    advice: expect.stringContaining('over TCP, without TLS'),
  });
});

test('ZVT driver: diagnose reverses nothing, even after an unsolicited payment', async () => {
  const sent: string[] = [];
  let hear: (bytes: Uint8Array) => void = () => {};
  const overheard = (port: BytePort): BytePort => ({
    ...port,
    write: (bytes) => (sent.push(Buffer.from(bytes).toString('hex')), port.write(bytes)),
    onData: (listener) => port.onData((hear = listener)),
  });
  const fixture = createZvtFixture({ path: 'tcp://192.0.2.1', cable: (near, far) => [overheard(near), far] });
  const examined = (async () => {
    for await (const { step } of driver.diagnose(fixture.parts)) {
      if (!step.startsWith('register')) continue;
      hear(fromHex('040F0C 2700 04000000001742 870042'));
      hear(fromHex('060F00'));
    }
  })();
  await fixture.clock.advance(40_000);
  await examined;
  // Once for who it is, once for whether it is ready.
  expect(sent.filter((hex) => hex.startsWith('0501'))).toHaveLength(2);
  expect(sent.filter((hex) => hex.startsWith('0630'))).toEqual([]);
});

test('ZVT driver: a status that arrives again after its payment reverses nothing', async () => {
  let hear: (bytes: Uint8Array) => void = () => {};
  const heard: string[] = [];
  const overheard = (port: BytePort): BytePort => ({
    ...port,
    onData: (listener) =>
      port.onData(
        (hear = (bytes) => {
          heard.push(Buffer.from(bytes).toString('hex').toUpperCase());
          listener(bytes);
        }),
      ),
  });
  const fixture = createZvtFixture({ path: 'tcp://192.0.2.1', cable: (near, far) => [overheard(near), far] });
  fixture.start();
  fixture.present('visa-contactless');
  await fixture.clock.advance(A_SALE_MS);
  expect(fixture.last).toMatchObject({ type: 'device.approved' });
  fixture.reader.end();
  hear(fromHex(heard.find((hex) => hex.startsWith('040F'))!));
  hear(fromHex('060F00'));
  await fixture.clock.advance(60_000);
  expect(memoryOf(fixture.tray).journal.filter(counts)).toHaveLength(1);

  // One that was started at the terminal is not ours to reverse either.
  hear(fromHex('040F0C 2700 04000000001742 870042'));
  hear(fromHex('060F00'));
  await fixture.clock.advance(60_000);
  expect(memoryOf(fixture.tray).journal.filter(counts)).toHaveLength(1);
  await fixture.reader.close();
});

test('ZVT driver: refuses a real terminal unless it is allowed', async () => {
  const fixture = createZvtFixture({
    path: 'tcp://192.0.2.1',
    cable: (near, far) => [heardAs(near, renamed), far],
  });
  fixture.start();
  fixture.present('visa-contactless');
  await fixture.clock.advance(A_SALE_MS);
  expect(fixture.facts).toEqual([
    { type: 'reader.failed', reason: expect.stringContaining('--allow-real-terminal') },
  ]);
  await fixture.reader.close();

  const allowed = createZvtFixture({
    path: 'tcp://192.0.2.1',
    cable: (near, far) => [heardAs(near, renamed), far],
    allowRealTerminal: true,
  });
  allowed.start();
  allowed.present('visa-contactless');
  await allowed.clock.advance(A_SALE_MS);
  expect(allowed.last).toMatchObject({ type: 'device.approved' });
});

/** The twin under the name of another make. */
function renamed(bytes: Uint8Array): Uint8Array {
  return Buffer.from(
    Buffer.from(bytes).toString('latin1').replace('TAPBENCH TWIN', 'ACME TERM 900'),
    'latin1',
  );
}

/** A port whose bytes are heard changed. */
function heardAs(port: BytePort, change: (bytes: Uint8Array) => Uint8Array): BytePort {
  return { ...port, onData: (listener) => port.onData((bytes) => listener(change(bytes))) };
}

/** Bytes of the terminal, over TCP, where no check goes with them. */
function replaced(from: string, to: string) {
  return (bytes: Uint8Array) => {
    const hex = Buffer.from(bytes).toString('hex').toUpperCase().replace(from, to);
    return Uint8Array.from(Buffer.from(hex, 'hex'));
  };
}

test.each([
  ['another amount', '04000000001742', '04000000009742', { amountMinor: 9742 }],
  ['another currency', '490978', '490840', { currency: 'USD' }],
])('ZVT driver: an approval of %s is reversed', async (what, from, to, approved) => {
  const change = replaced(from, to);
  const fixture = createZvtFixture({
    path: 'tcp://192.0.2.1',
    cable: (near, far) => [heardAs(near, change), far],
  });
  fixture.start();
  fixture.present('visa-contactless');
  await fixture.clock.advance(A_SALE_MS);
  expect(fixture.facts).toEqual([
    { type: 'reader.failed', reason: `the terminal approved ${what} than requested` },
  ]);
  expect(memoryOf(fixture.tray).journal.filter(counts)).toEqual([]);
  expect(fixture.reversals).toEqual([{ ...REVERSED, ...approved }]);
  await fixture.reader.close();
});

test('ZVT driver: an approval without a receipt number is reversed by the last receipt', async () => {
  // The number of the first status, not that of the answer about the last receipt, is unreadable.
  let told = 0;
  const change = (bytes: Uint8Array) => {
    const hidden = replaced('870001', '87FFFF')(bytes);
    return Buffer.compare(hidden, bytes) !== 0 && ++told === 1 ? hidden : bytes;
  };
  const fixture = createZvtFixture({
    path: 'tcp://192.0.2.1',
    cable: (near, far) => [heardAs(near, change), far],
  });
  fixture.start();
  fixture.present('visa-contactless');
  await fixture.clock.advance(A_SALE_MS);
  expect(fixture.last).toEqual({
    type: 'reader.failed',
    reason: 'the terminal approved without a receipt number',
  });
  expect(memoryOf(fixture.tray).journal.filter(counts)).toEqual([]);
  await fixture.reader.close();
});

test('ZVT driver: a status without a result code is not an approval', async () => {
  // BMP 27 becomes one of the terminal's own that says nothing of the result.
  const change = replaced('2700040000', '1900040000');
  const fixture = createZvtFixture({
    path: 'tcp://192.0.2.1',
    cable: (near, far) => [heardAs(near, change), far],
  });
  fixture.start();
  fixture.present('visa-contactless');
  await fixture.clock.advance(A_SALE_MS);
  expect(fixture.facts).toEqual([{ type: 'device.declined', reason: 'protocol error' }]);
  expect(memoryOf(fixture.tray).journal.filter(counts)).toEqual([]);
  await fixture.reader.close();
});

for (const seed of ['1', '2', '3', '4', '5', '6', '7', '8']) {
  test(`ZVT driver: on a bad line each action ends once, and terminal and agent agree (seed ${seed})`, async () => {
    const fixture = createZvtFixture({ badLine: seed });
    let approved = 0;
    for (let turn = 0; turn < 2; turn += 1) {
      fixture.facts.length = 0;
      fixture.start();
      fixture.present('visa-contactless');
      await fixture.clock.advance(500_000);
      expect(fixture.facts).toHaveLength(1);
      if (fixture.last?.type === 'device.approved') approved += 1;
      fixture.reader.end();
      await fixture.clock.advance(300_000);
    }
    expect(memoryOf(fixture.tray).journal.filter(counts)).toHaveLength(approved);
    // The line may be going up at this moment.
    await Promise.all([fixture.reader.close(), fixture.clock.advance(20_000)]);
  });
}
