import { expect, test } from 'vitest';
import { terminalAt } from '../../../server/dashboard/page/terminal/terminal-at.ts';
import type { PrinterView, TimelineEntry } from '../../../server/dashboard/view.ts';
import { openTill } from '../../../testing/world/till.ts';
import { startWorld } from '../../../testing/world/world.ts';
import { openPage } from './open-page.ts';
import { madeAction, madeTerminal } from './page/fixtures.ts';

/** What the page shows of a payment with a chip and a PIN, at each step of the terminal's machine. */
async function chipPayment(amount: number) {
  const world = await startWorld();
  try {
    const till = openTill(world, await world.addTerminal());
    await till.pay(amount);
    await till.reaches('awaitingCard');
    const act = (path: string, body: object) =>
      world.api.post(`/sandbox/terminals/${till.terminal.terminalId}/${path}`, body);
    await act('present-card', { card: 'visa-contact-pin', entryMode: 'Contact' });
    await till.reaches('awaitingPin');
    await act('press-keys', { keys: ['1', '2', '3', '4'] });
    await act('press-keys', { keys: ['enter'] });
    await world.settled();
    const { body } = await world.api.get(`/dashboard/terminals/${till.terminal.terminalId}/actions`);
    const [action] = body.items;
    const page = await openPage(world, { kind: 'action', id: action.id });
    return { action, entries: page.last('timeline')!.entries };
  } finally {
    await world.close();
  }
}

const isStep = ({ step }: TimelineEntry) => step?.machineId === 'action';

test('terminalAt: at each step shows display, card, paper and payment as they were', async () => {
  const { action, entries } = await chipPayment(1742);
  const lines = entries.filter(isStep).map(({ seq }) => {
    const { terminal, sessionState } = terminalAt(madeTerminal(), action, entries, seq);
    const { card, paperSheets } = terminal.deviceState!;
    return [terminal.action!.state, terminal.screen[1], card?.name ?? null, paperSheets, sessionState].join(
      ' | ',
    );
  });
  expect(lines).toEqual([
    'awaitingCard | Present card |  | 1000 | ',
    'reading | Reading card, do not remove | visa-contact-pin | 1000 | ',
    'awaitingPin | Enter PIN | visa-contact-pin | 1000 | ',
    'verifyingPin | Checking PIN | visa-contact-pin | 1000 | ',
    'authorising | Authorising | visa-contact-pin | 1000 | ',
    'approved.printing.merchantCopy | Approved, printing merchant copy |  | 1000 | approved',
    'approved.printing.customerCopy | Approved, printing customer copy |  | 999 | approved',
    'approved.completing | Approved, one moment |  | 998 | approved',
    'succeeded | Approved |  | 998 | captured',
  ]);
});

test('terminalAt: the display has a star for each digit of the PIN that was typed', async () => {
  const { action, entries } = await chipPayment(1742);
  const screens = entries.map(({ seq }) => terminalAt(madeTerminal(), action, entries, seq).terminal.screen);
  const stars = screens.map(([, text, typed]) => (text === 'Enter PIN' ? (typed ?? '') : undefined));
  expect([...new Set(stars)]).toEqual([undefined, '', '****']);
});

test('terminalAt: a decline has failed at the server only once that was recorded', async () => {
  const { action, entries } = await chipPayment(1901);
  const statusAt = (seq: number) => {
    const { status, errorCode } = terminalAt(madeTerminal(), action, entries, seq).terminal.action!;
    return [status, errorCode];
  };
  const steps = entries.filter(isStep);
  expect(statusAt(steps[0]!.seq)).toEqual(['InProgress', null]);
  expect(statusAt(steps.at(-1)!.seq)).toEqual(['Failed', 'insufficient_funds']);
  expect(terminalAt(madeTerminal(), action, entries, steps.at(-1)!.seq).terminal.screen[1]).toBe('Declined');
});

test('terminalAt: the receipt printer as it is now is not shown at an earlier moment', async () => {
  const printer: PrinterView = {
    paper: 'out',
    linesLeft: 0,
    cover: 'closed',
    error: 'none',
    drawer: 'closed',
    printed: 2,
    receipts: [],
  };
  const { terminal } = terminalAt(madeTerminal({ printer }), madeAction(), [], 1);
  expect(terminal.printer).toBeUndefined();
});
