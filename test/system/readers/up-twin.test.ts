import { afterAll, expect, test } from 'vitest';
import type { Json } from '../kit/http-call.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { waitFor } from '../kit/wait-for.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

function terminalOf({ terminals }: Tapbench, serialNumber: string): string {
  const found = terminals.find((terminal) => terminal.serialNumber === serialNumber);
  if (!found) throw new Error(`${serialNumber} is not among ${JSON.stringify(terminals)}`);
  return found.id;
}

/** Takes a payment to its end, by the cardholder who taps. Returns the action. */
async function pay(server: Tapbench, id: string): Promise<Json> {
  const path = `/v1/in-person/terminals/${id}`;
  const started = await server.api('POST', `${path}/payment`, {
    amounts: { requested: 1742 },
    currency: 'EUR',
  });
  expect(started.status).toBe(200);
  return waitFor('the end of the payment', async () => {
    const { action } = (await server.api('GET', path)).body;
    return action.status === 'InProgress' ? undefined : action;
  });
}

test('up --twin: terminals of two languages take payments in its process, also after a reset and a new start', async () => {
  const server = await fixture.tapbench({ args: ['--twin', 'nexo', '--twin', 'caisse-ap'] });
  const nexo = terminalOf(server, 'SIM-NEXO-0001');
  expect(await pay(server, nexo)).toMatchObject({ status: 'Succeeded' });
  const control = await server.api('POST', `/sandbox/terminals/${nexo}/control`, { control: 'timeline' });
  expect(control.body.answer).toMatch(/bank.answered/);

  await server.api('POST', '/sandbox/reset');
  const listed = async () => (await server.api('GET', '/sandbox/terminals')).body.items as Json[];
  const caisse = await waitFor('the terminals to be back', async () =>
    (await listed()).find(({ serialNumber, online }) => serialNumber === 'SIM-CAISSE-AP-0001' && online),
  );
  expect(await pay(server, caisse.id)).toMatchObject({ status: 'Succeeded' });

  await server.kill('SIGTERM');
  await server.restart();
  await waitFor('the terminal to be online', async () => (await listed()).every(({ online }) => online));
  expect((await listed()).map(({ serialNumber }) => serialNumber)).toEqual([
    'SIM-0001',
    'SIM-CAISSE-AP-0001',
    'SIM-NEXO-0001',
  ]);
});

test('up --twin: a language that there is not is refused', async () => {
  const { code, stderr } = await fixture.run(['up', '--twin', 'opi'], { cwd: fixture.folder() });

  expect([code, stderr]).toEqual([
    1,
    "tapbench: --twin must be one of: zvt, caisse-ap, ecr17, concert, nexo, escpos, not 'opi'\n",
  ]);
});
