import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

let server: Tapbench;
beforeAll(async () => {
  server = await fixture.tapbench();
});

/** Starts the twin of a printer. What `types` is given is typed in its window. */
async function plugIn(args: string[]) {
  const window = new PassThrough();
  const folder = fixture.folder();
  const out = join(folder, 'receipts');
  const twin = fixture.command(['twin', 'escpos', ...args, '--out', out], { cwd: folder, input: window });
  await twin.prints(/Ctrl-C/);
  return {
    twin,
    folder,
    address: () => /tcp:\S+[^,\s]/.exec(twin.stdout)![0],
    types: (line: string) => void window.write(`${line}\n`),
    receipt: (number: number) => readFileSync(join(out, `receipt-000${number}.txt`), 'utf8'),
  };
}

let terminals = 0;

/** Starts a simulated terminal that prints at a printer. */
async function startTerminal(printer: string, ...options: string[]) {
  terminals += 1;
  const serialNumber = `PRINTS-000${terminals}`;
  const { items } = (await server.api('GET', '/v1/in-person/locations')).body;
  const registered = await server.api('POST', '/v1/in-person/terminals', {
    serialNumber,
    locationId: items[0].id,
  });
  const env = { TAPBENCH_URL: server.url, SECRET_KEY: server.secretKey, DATA_DIR: fixture.folder() };
  const args = ['agent', '--terminal', serialNumber, '--printer', printer, ...options];
  const agent = fixture.command([...args, '--delay', '0'], { env });
  await agent.prints(/Ready/);
  return {
    agent,
    pay: () => fixture.command(['pay', registered.body.id, '1742', '--wait'], { env }),
  };
}

test('agent --printer: both copies come out at a printer in the network, the second once there is paper', async () => {
  const printer = await plugIn(['--tcp', '0', '--fault', 'paper-out after cut 1']);
  const { agent, pay } = await startTerminal(printer.address());
  const payment = pay();
  await printer.twin.prints(/receipt 1, partial cut/);
  await waitFor('the terminal misses the paper', () => agent.stderr.includes('there is no paper'));
  printer.types('paper');
  await printer.twin.prints(/receipt 2, partial cut/);
  expect(await payment.ended).toMatchObject({ code: 0 });
  expect(printer.receipt(1)).toMatch(/^ {11}NO CARDHOLDER VERIFICATION\n {20}APPROVED\n {17}MERCHANT COPY$/m);
  expect(printer.receipt(2)).toMatch(/^ {17}CUSTOMER COPY$/m);
  const { stderr } = await agent.kill('SIGINT');
  expect(stderr).toContain(`printer at ${printer.address()}: there is no paper\n`);
  expect(stderr).toContain(`printer at ${printer.address()}: ready\n`);
});

test('agent --printer: both copies come out at a printer on a serial line, once its cover is closed', async () => {
  const printer = await plugIn(['--link', './ttyPrinter', '--columns', '32']);
  const { agent, pay } = await startTerminal(join(printer.folder, 'ttyPrinter'), '--printer-columns', '32');
  printer.types('cover open');
  await printer.twin.prints(/cover open/);
  const payment = pay();
  await agent.prints(/printing merchant copy/);
  printer.types('cover closed');
  expect(await payment.ended).toMatchObject({ code: 0 });
  await printer.twin.prints(/receipt 2, partial cut/);
  expect([printer.receipt(1), printer.receipt(2)]).toEqual([
    expect.stringContaining('        MERCHANT COPY\n'),
    expect.stringContaining('        CUSTOMER COPY\n'),
  ]);
});

test('agent --printer: a payment is captured where the printer is switched off, and an address that is none is refused', async () => {
  const printer = await plugIn(['--tcp', '0']);
  const address = printer.address();
  const { agent, pay } = await startTerminal(address);
  await printer.twin.kill();
  expect(await pay().ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/Succeeded/) });
  expect((await agent.kill('SIGINT')).stderr).toContain(`${address} does not open: `);

  for (const [args, why] of [
    [['--printer', 'tcp://'], /'tcp:\/\/' is not an address/],
    [['--printer', 'tpc://192.0.2.1'], /a receipt printer is at tcp:\/\/host or a serial port, not at 'tpc:/],
    [['--printer-columns', '32'], /--printer-columns is of a receipt printer: add --printer/],
  ] as const) {
    const refused = await fixture.run(['agent', ...args], { env: { TAPBENCH_URL: server.url } });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(why)]);
  }
});

test('doctor --printer: reads the state of a printer and prints a test page, or names what is wrong', async () => {
  const printer = await plugIn(['--tcp', '0', '--columns', '42']);
  const doctor = () => fixture.run(['doctor', printer.address(), '--printer', '--printer-columns', '42']);
  const well = await doctor();
  expect([well.code, well.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^ok {4}open the port: .*\nok {4}read its state: ready\nok {4}print a test page: printed.*\n$/,
    ),
  ]);
  await printer.twin.prints(/receipt 1, partial cut/);
  expect(
    printer
      .receipt(1)
      .split('\n')
      .map((line) => line.trim()),
  ).toEqual([
    '123456789012345678901234567890123456789012',
    'Tapbench test page',
    '42 columns, code page cp858',
    'ä é ñ ø £ € ? ? ?',
    '',
  ]);
  printer.types('cover open');
  await printer.twin.prints(/cover open/);
  const ill = await doctor();
  expect([ill.code, ill.stdout]).toEqual([
    1,
    expect.stringMatching(/^FAIL {2}read its state: the cover is open\n/m),
  ]);
});
