import { afterAll, expect, test } from 'vitest';
import type { Json } from '../kit/http-call.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

const PRINTER = 'SIM-ESCPOS-0001';

/** Waits until the terminal with a printer is online. Returns its id. */
function printing({ api }: Tapbench): Promise<string> {
  return waitFor('the terminal with a printer', async () => {
    const { items } = (await api('GET', '/sandbox/terminals')).body;
    const found = items.find(({ serialNumber, online }: Json) => serialNumber === PRINTER && online);
    return found?.id as string | undefined;
  });
}

/** Takes a payment until `look` finds what it waits for in the action. */
async function pay<T>({ api }: Tapbench, id: string, look: (action: Json) => T | undefined): Promise<T> {
  const path = `/v1/in-person/terminals/${id}`;
  const body = { amounts: { requested: 1742 }, currency: 'GBP' };
  expect((await api('POST', `${path}/payment`, body)).status).toBe(200);
  return waitFor('the payment', async () => look((await api('GET', path)).body.action));
}

const ended = ({ status, transaction }: Json) =>
  status === 'InProgress' ? undefined : [status, transaction.receiptDetail.customerCopy.status];

/** Uses a control by its command. Returns what it prints. */
async function control({ dataDir, url }: Tapbench, words: string): Promise<string> {
  const env = { DATA_DIR: dataDir! };
  const { stdout, stderr } = await fixture.run(['control', PRINTER, words, '--url', url], { env });
  return stdout + stderr;
}

const copiesIn = (receipts: string) => receipts.match(/(MERCHANT|CUSTOMER) COPY/g) ?? [];

test('up --twin escpos: its receipts are printed at the printer, whose paper ends between the copies', async () => {
  const server = await fixture.tapbench({ args: ['--twin', 'escpos'] });
  const id = await printing(server);
  expect(await control(server, 'receipts')).toBe('none is printed\n');
  expect(await control(server, 'fault=paper-out after cut 1')).toMatch(
    / {2}67 sheets\nprinter: paper enough, cover closed, 2000 lines left, drawer closed\n$/,
  );
  const status = () => server.api('POST', `/sandbox/terminals/${id}/control`, { control: 'status' });
  await pay(server, id, () => true);
  await waitFor(
    'the end of the paper',
    async () => (await status()).body.printer.paper === 'out' || undefined,
  );
  expect(await control(server, 'status')).toBe('paper out, cover closed, 0 lines left, drawer closed\n');
  expect(copiesIn(await control(server, 'receipts'))).toEqual(['MERCHANT COPY']);
  expect(await control(server, 'paper')).toMatch(/printer: paper enough, cover closed, 2000 lines left/);
  await waitFor(
    'the second copy',
    async () => copiesIn(await control(server, 'receipts')).length === 2 || undefined,
  );
  const receipts = await control(server, 'receipts');
  expect(receipts).toMatch(/^ {8}VISA +\*{12}\d{4}$/m);
  expect(receipts).toMatch(/^--- receipt 2, partial cut ---$/m);
  expect(await control(server, 'cover=ajar')).toMatch(/cover takes one of: open, closed/);
});

test('up --twin escpos: after a reset and a new start the printer is a new one', async () => {
  const server = await fixture.tapbench({ args: ['--twin', 'escpos'] });
  const first = await printing(server);
  expect(await pay(server, first, ended)).toEqual(['Succeeded', 'NotRequired']);
  await control(server, 'cover=open');

  await server.api('POST', '/sandbox/reset');
  const second = await waitFor('another terminal', async () => {
    const id = await printing(server);
    return id === first ? undefined : id;
  });
  expect(await control(server, 'status')).toMatch(/^paper enough, cover closed, 2000 lines left/);
  expect(await pay(server, second, ended)).toEqual(['Succeeded', 'NotRequired']);
  expect(copiesIn(await control(server, 'receipts'))).toEqual(['MERCHANT COPY', 'CUSTOMER COPY']);

  await control(server, 'state=near-end');
  await server.kill('SIGTERM');
  await server.restart();
  await printing(server);
  expect(await control(server, 'status')).toMatch(/^paper enough/);
  expect(await control(server, 'receipts')).toBe('none is printed\n');
});

test('up --twin escpos: a fork of the sandbox has the printer as it stands', async () => {
  const server = await fixture.tapbench({ args: ['--twin', 'escpos'] });
  const id = await printing(server);
  await control(server, 'cover=open');
  const { body } = await server.api('POST', '/sandboxes', { name: 'ci', from: 'default' });
  const headers = { authorization: body.secretKey };
  const status = await waitFor('the printer of the fork', async () => {
    const path = `/sandbox/terminals/${id}/control`;
    const answer = await server.api('POST', path, { control: 'status' }, headers);
    return answer.status === 200 ? answer.body.printer : undefined;
  });
  expect(status).toMatchObject({ paper: 'enough', cover: 'open' });
});
