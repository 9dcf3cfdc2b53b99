import { ActionAbandoned, AuthoriseAction } from '../../../protocol/messages/action.messages.ts';
import { Fault } from '../../../protocol/failures.ts';
import { BrokenRule, type DeviceBench } from './device-bench.ts';
import { deviceCase } from './device-case.ts';

const PIN_MS = 40_000;
/** How long a device has to ask for the PIN of a card that is put in. */
const PROMPT_MS = 1_500;

/** Starts a payment, and puts a card into the device that asks for a PIN. */
async function startInserted(bench: DeviceBench): Promise<boolean> {
  await bench.pay();
  await bench.expectReport('action.accepted');
  await bench.act('insert');
  await bench.sleep(PROMPT_MS);
  return bench.reports(AuthoriseAction.name).length === 0;
}

/** @throws Fault `timed_out` when the device asks for no PIN: what a case shows with it is not shown */
export async function insertCard(bench: DeviceBench): Promise<void> {
  if (!(await startInserted(bench))) throw new Fault('timed_out', 'the device did not ask for the PIN');
}

/** @throws BrokenRule when the device asks for no PIN */
async function insertForPin(bench: DeviceBench): Promise<void> {
  if (!(await startInserted(bench)))
    throw new BrokenRule('it asked for the authorisation of a card that needs a PIN, without one');
}

/** @throws BrokenRule when the authorisation does not say that a PIN was verified, or that none was */
async function expectVerification(bench: DeviceBench, fits: RegExp): Promise<void> {
  const { body } = await bench.expectReport(AuthoriseAction.name, { within: PIN_MS });
  const { verification } = body;
  if (!fits.test(String(verification)))
    throw new BrokenRule(`it asked with the verification ${verification}`);
}

async function expectAbandoned(bench: DeviceBench, code: string, within?: number): Promise<string> {
  const { body } = await bench.expectReport(ActionAbandoned.name, { ...(within && { within }) });
  if (body['code'] !== code) throw new BrokenRule(`it gave up with ${body['code']}, not with ${code}`);
  await bench.expectEnd('Failed', code);
  return `it gave up with ${code}`;
}

// Also the separators of lines and paragraphs.
const NOT_PRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u;

/** @throws BrokenRule when the device gave up with a reason that is not one printable line */
function assertReason(bench: DeviceBench): void {
  const { reason } = bench.reports(ActionAbandoned.name)[0]!.body;
  if (NOT_PRINTABLE.test(String(reason))) throw new BrokenRule('its reason is not one printable line');
}

/** Seconds of the sandbox in which a terminal still waits for a PIN. A person needs some of the minute to press Enter. */
const soon = ({ isAutomatic }: DeviceBench) => (isAutomatic ? 45 : 35);
/** With the others more than the minute that a cardholder has. */
const THEN_OVER = 30;

/** Of a device with real cards: those of the simulator never decline by themselves. */
export const CARD_DECLINES = deviceCase(
  'card.declines',
  ['protocol.abandon.declined', 'protocol.abandon.reason'],
  async (bench) => {
    await bench.pay();
    await bench.expectReport('action.accepted');
    await bench.act('declines');
    const reason = await expectAbandoned(bench, 'card_declined');
    assertReason(bench);
    return reason;
  },
);

export const CARDHOLDER_CASES = [
  deviceCase('pin', ['protocol.card.verification'], async (bench) => {
    await insertForPin(bench);
    await bench.type('pin');
    await expectVerification(bench, /^(OfflinePin|OnlinePin)$/);
    await bench.expectEnd('Succeeded');
    return 'the PIN was verified, and the payment was captured';
  }),
  deviceCase(
    'pin.wrong',
    ['protocol.card.verification'],
    async (bench) => {
      await insertForPin(bench);
      await bench.type('wrong');
      await bench.expectNo(AuthoriseAction.name, { within: 1_500 });
      await bench.type('pin');
      await expectVerification(bench, /^(OfflinePin|OnlinePin)$/);
      await bench.expectEnd('Succeeded');
      return 'the second PIN was verified, and the payment was captured';
    },
    ['pin'],
  ),
  deviceCase(
    'pin.failed',
    ['protocol.card.pin-failed'],
    async (bench) => {
      await insertForPin(bench);
      for (let tried = 0; tried < 3; tried += 1) await bench.type('wrong');
      await expectVerification(bench, /^PinFailed$/);
      await bench.expectEnd('Failed');
      return 'after three wrong PINs it said PinFailed, and the bank declined';
    },
    ['pin'],
  ),
  deviceCase('card.removed', ['protocol.card.removed', 'protocol.card.verification'], async (bench) => {
    await insertCard(bench);
    await bench.act('remove');
    await bench.expectNo(AuthoriseAction.name, { within: 1_500 });
    await bench.act('tap');
    await bench.expectEnd('Succeeded');
    return 'the chip was taken out before the PIN, and another card was taken';
  }),
  deviceCase(
    'card.removed.thrice',
    ['protocol.card.removed', 'protocol.abandon.unreadable'],
    async (bench) => {
      await bench.pay();
      await bench.expectReport('action.accepted');
      for (let removed = 0; removed < 3; removed += 1) {
        if (bench.reports(ActionAbandoned.name).length > 0)
          throw new BrokenRule(`it gave up after ${removed} cards that were taken out`);
        await bench.act('insert');
        await bench.sleep(PROMPT_MS);
        await bench.act('remove');
        await bench.sleep(800);
      }
      return `three cards were taken out before the PIN, and ${await expectAbandoned(bench, 'bad_track_data')}`;
    },
  ),
  deviceCase('card.unreadable', ['protocol.abandon.unreadable', 'protocol.abandon.reason'], async (bench) => {
    await bench.pay();
    await bench.expectReport('action.accepted');
    for (let presented = 0; presented < 3; presented += 1) {
      if (bench.reports(ActionAbandoned.name).length > 0)
        throw new BrokenRule(`it gave up after ${presented} cards that it could not read`);
      await bench.act('unreadable');
      await bench.sleep(800);
    }
    const reason = await expectAbandoned(bench, 'bad_track_data');
    assertReason(bench);
    return `after three cards that it could not read ${reason}`;
  }),
  deviceCase(
    'card.deadline',
    ['protocol.card.deadline', 'protocol.abandon.timeout'],
    async (bench) => {
      await bench.pay();
      await bench.expectReport('action.accepted');
      await bench.advance(100);
      await bench.expectNo(ActionAbandoned.name, { within: 2_000 });
      await bench.advance(25);
      return `no card came in 120 s of the sandbox, and ${await expectAbandoned(bench, 'timeout')}`;
    },
    ['payment', 'clock'],
  ),
  deviceCase(
    'pin.deadline',
    ['protocol.card.pin-deadline', 'protocol.abandon.timeout'],
    async (bench) => {
      await insertCard(bench);
      await bench.advance(soon(bench));
      await bench.expectNo(ActionAbandoned.name, { within: 2_000 });
      await bench.advance(THEN_OVER);
      return `no PIN came in 60 s of the sandbox, and ${await expectAbandoned(bench, 'timeout')}`;
    },
    ['payment', 'clock'],
  ),
  deviceCase(
    'pin.again',
    ['protocol.card.pin-deadline'],
    async (bench) => {
      await insertCard(bench);
      await bench.advance(soon(bench));
      await bench.type('wrong');
      await bench.sleep(1_500);
      await bench.advance(soon(bench));
      await bench.expectNo(ActionAbandoned.name, { within: 2_000 });
      await bench.type('pin');
      await bench.expectEnd('Succeeded');
      return 'the PIN was wrong, it gave as long for another, and the payment was captured';
    },
    ['pin', 'clock'],
  ),
  deviceCase('cancel-key', ['protocol.abandon.cancelled'], async (bench) => {
    await bench.pay();
    await bench.expectReport('action.accepted');
    await bench.act('cancel');
    return `Cancel was pressed in place of a card, and ${await expectAbandoned(bench, 'cancelled_on_terminal')}`;
  }),
  deviceCase('cancel-key.pin', ['protocol.abandon.cancelled'], async (bench) => {
    await insertCard(bench);
    await bench.act('cancel');
    return `Cancel was pressed in place of the PIN, and ${await expectAbandoned(bench, 'cancelled_on_terminal')}`;
  }),
  deviceCase(
    'cancel-key.crossed',
    ['protocol.abandon.cancelled', 'protocol.cancel.release'],
    async (bench) => {
      const late = {
        at: 'message.report',
        what: 'delay',
        message: ActionAbandoned.name,
        delayMs: 2_000,
      } as const;
      await bench.pay({ faults: [late] });
      await bench.expectReport('action.accepted');
      await bench.act('cancel');
      await bench.cancel();
      await bench.expectEnd('Cancelled');
      await bench.sleep(2_500);
      return 'the cardholder and the point of sale cancelled at once, and the action ended once';
    },
  ),
];
