import { expect } from 'vitest';
import type { Stage } from './stage.ts';
import type { ExampleRows } from './example-row.ts';

const POS_RECEIPTS = { settings: { receiptPrintingSource: 'PointOfSale' } };

/** Returns the action of the only terminal. */
const actionOf = async ({ api, sandbox }: Stage) =>
  (await api('GET', `/v1/in-person/terminals/${sandbox.terminals[0].id}`)).action;

/** Waits until the terminal asks the point of sale to print a copy of its receipt. */
async function untilRequired(stage: Stage, copy: 'merchantCopy' | 'customerCopy'): Promise<void> {
  await expect
    .poll(async () => (await actionOf(stage)).transaction.receiptDetail[copy].status)
    .toBe('Required');
}

/** Waits until the action of the terminal has a status. */
async function untilStatus(stage: Stage, status: string): Promise<void> {
  await expect.poll(async () => (await actionOf(stage)).status).toBe(status);
}

/** Leaves a payment at a terminal whose cardholder does nothing. */
async function waitForCard(stage: Stage): Promise<void> {
  await stage.act('cardholder', { script: 'none' });
  await stage.startPayment();
  await untilState(stage, 'awaitingCard');
}

/** Waits until the machine of the terminal is in a state. */
async function untilState({ api, sandbox }: Stage, state: string): Promise<void> {
  await expect
    .poll(async () => {
      const { items } = await api('GET', '/sandbox/terminals');
      return JSON.stringify(items.find(({ id }: { id: string }) => id === sandbox.terminals[0].id));
    })
    .toContain(state);
}

/** Returns what registers a terminal with something beside it, and waits until it is online. */
function adds(serialNumber: string) {
  return async ({ api }: Stage): Promise<void> => {
    const { items } = await api('GET', '/v1/in-person/locations');
    const body = { serialNumber, locationId: items[0].id };
    const { id } = await api('POST', '/v1/in-person/terminals', body);
    await expect.poll(async () => (await api('GET', `/sandbox/terminals/${id}`)).online).toBe(true);
  };
}

const addNexo = adds('SIM-NEXO-0001');

/** Prepares a payment whose id the line prints. */
const paid = async (stage: Stage) => ({ 'ps_01J...': await stage.payAtTerminal() });

/** What a command that waits longer than a second says. */
const WAITING = /^(Waiting for the cardholder; .*\n)?$/;

const DONE = /^tml_\w+ {2}power on {2}network on {2}1000 sheets\n$/;

export const PAYMENT_ROWS: ExampleRows = {
  'tapbench pay 1742': { stdout: /^Payment {2}17\.42 GBP {2}InProgress {2}ps_\w+ {2}tml_\w+\n$/ },
  'tapbench pay SIM-0001 1742 --wait': {
    stdout: /^Payment {2}17\.42 GBP {2}Succeeded {2}ps_\w+ {2}tml_\w+\n$/,
    stderr: WAITING,
  },
  'tapbench pay 1742 --card visa-declined --wait': {
    code: 2,
    stdout: /^Payment {2}17\.42 GBP {2}Failed declined_do_not_honour /,
    stderr: WAITING,
  },
  'tapbench refund ps_01J... --wait': {
    prepare: paid,
    stdout: /^Refund {2}17\.42 GBP {2}Succeeded {2}ps_\w+ {2}tml_\w+\n$/,
    stderr: WAITING,
  },
  'tapbench refund ps_01J... --amount 500': {
    prepare: paid,
    stdout: /^Refund {2}5\.00 GBP {2}InProgress {2}ps_\w+ {2}tml_\w+\n$/,
  },
  'tapbench settle SIM-0001 charged': {
    code: 1,
    stderr: /the terminal has no action whose outcome is unknown/,
  },
  'tapbench cancel SIM-0001': {
    prepare: waitForCard,
    stdout: /^Payment {2}17\.42 GBP {2}Cancelled /m,
  },
  'tapbench confirm-receipt': {
    async prepare(stage) {
      await stage.startPayment(POS_RECEIPTS);
      await untilRequired(stage, 'merchantCopy');
    },
    stdout: /InProgress {2}customerCopy Required {2}merchantCopy Succeeded/,
  },
  'tapbench confirm-receipt --customer Failed': {
    async prepare(stage) {
      await stage.startPayment(POS_RECEIPTS);
      await untilRequired(stage, 'merchantCopy');
      await stage.run('tapbench confirm-receipt');
      await untilRequired(stage, 'customerCopy');
    },
    stdout: /Failed receipt_failed {2}customerCopy Failed/,
    async after({ api }) {
      const { items } = await api('GET', '/v1/payment-sessions');
      expect(items[0].status).toBe('Voided');
    },
  },
  'tapbench action': {
    prepare: async (stage) => void (await stage.payAtTerminal()),
    stdout: /^tmlact_\w+ {2}Payment {2}17\.42 GBP {2}Succeeded {2}succeeded\n$/,
  },
  'tapbench receipt': {
    prepare: async (stage) => void (await stage.payAtTerminal()),
    stdout: /MERCHANT COPY[\s\S]*CUSTOMER COPY/,
  },
  'tapbench receipt SIM-0001 --copy customer': {
    prepare: async (stage) => void (await stage.payAtTerminal()),
    stdout: /^(?![\s\S]*MERCHANT COPY)[\s\S]*CUSTOMER COPY/,
  },
  'tapbench present-card --card amex-contactless': {
    prepare: waitForCard,
    stdout: /^presented amex-contactless at tml_\w+\n$/,
    after: (stage) => untilStatus(stage, 'Succeeded'),
  },
  'tapbench remove-card': {
    async prepare(stage) {
      await waitForCard(stage);
      await stage.act('present-card', { card: 'visa-contact-pin' });
    },
    stdout: DONE,
  },
  'tapbench press-keys 1234,enter': {
    async prepare(stage) {
      await waitForCard(stage);
      await stage.act('present-card', { card: 'visa-contact-pin' });
      await untilState(stage, 'awaitingPin');
    },
    stdout: DONE,
    async after(stage) {
      await untilStatus(stage, 'Succeeded');
      expect((await stage.run('tapbench receipt')).stdout).toContain('PIN VERIFIED');
    },
  },
  'tapbench press-keys SIM-0001 cancel': {
    prepare: waitForCard,
    stdout: DONE,
    after: (stage) => untilStatus(stage, 'Failed'),
  },
  'tapbench cardholder none': { stdout: DONE },
  'tapbench cardholder tap --card amex-contactless': {
    stdout: DONE,
    async after(stage) {
      await stage.startPayment();
      await untilStatus(stage, 'Succeeded');
      expect((await stage.run('tapbench receipt')).stdout).toContain('AMERICAN EXPRESS');
    },
  },
  'tapbench power off': { stdout: /^tml_\w+ {2}power off / },
  'tapbench network SIM-0001 off': { stdout: /^tml_\w+ {2}power on {2}network off / },
  'tapbench reader unplugged': { stdout: DONE },
  'tapbench control SIM-NEXO-0001 fault-after-approval=cut': { prepare: addNexo, stdout: DONE },
  'tapbench control SIM-NEXO-0001 receipts': { prepare: addNexo, stdout: /^none is printed\n$/ },
  "tapbench control SIM-ESCPOS-0001 'fault=paper-out after cut 1'": {
    prepare: adds('SIM-ESCPOS-0001'),
    stdout: / {2}67 sheets\nprinter: paper enough, cover closed, 2000 lines left, drawer closed\n$/,
  },
  'tapbench paper 0': { stdout: / {2}0 sheets\n$/ },
};
