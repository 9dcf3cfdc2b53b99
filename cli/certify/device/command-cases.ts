import {
  ActionAbandoned,
  ActionCompleted,
  ActionInquired,
  AuthoriseAction,
  CancelAction,
  ConfirmReceipt,
  DecideAction,
  EndAction,
  ReceiptReady,
  StartAction,
} from '../../../protocol/messages/action.messages.ts';
import { Presence } from '../../../protocol/messages/presence.messages.ts';
import type { FaultAt } from '../../../server/platform/faults/cut-points.ts';
import { BrokenRule, type DeviceBench } from './device-bench.ts';
import {
  at,
  deviceCase,
  NEEDS_RECEIPTS,
  payAgain,
  payByTap,
  tapCard,
  type DeviceCase,
} from './device-case.ts';
import type { ProtocolRuleId } from './protocol-rules.ts';

const LATE_MS = 3_000;
/** Longer than a start lasts. */
const EXPIRED_MS = 12_000;
const ACCEPTED = 'action.accepted';

/** @throws BrokenRule when the device has sent a report more often than once, or a number twice */
function assertOnce(bench: DeviceBench, ...names: string[]): void {
  for (const name of names) {
    const { length } = bench.reports(name);
    if (length > 1) throw new BrokenRule(`it sent ${name} ${length} times`);
  }
  const repeated = bench
    .seen()
    .find(({ kind, body }) => kind === 'refused' && String(body['reason']).startsWith('repeated'));
  if (repeated) throw new BrokenRule(`it used a number twice: ${repeated.name}, ${repeated.body['reason']}`);
}

/** Takes a payment in which each command is struck that can be: with receipts of the point of sale too. */
async function payStruck(
  bench: DeviceBench,
  what: FaultAt<'message.command'>,
  message: string,
): Promise<void> {
  const faults = [at(message, what, { delayMs: LATE_MS })];
  if (message === CancelAction.name) {
    await bench.pay({ faults });
    await bench.expectReport(ACCEPTED);
    await bench.cancel();
    await bench.expectEnd('Cancelled');
    await bench.sleep(LATE_MS + 500);
    return;
  }
  const receipts = message === ConfirmReceipt.name ? 'PointOfSale' : 'Terminal';
  await bench.pay({ faults, receipts });
  await bench.expectReport(ACCEPTED);
  await bench.act('tap');
  if (receipts === 'PointOfSale') {
    await bench.expectReport(ReceiptReady.name);
    await bench.confirm('merchantCopy');
    await bench.confirm('customerCopy');
  }
  await bench.expectEnd('Succeeded');
  await bench.sleep(what === 'twice' ? 500 : LATE_MS + 500);
}

const COMMANDS = {
  start: StartAction.name,
  decision: DecideAction.name,
  confirmed: ConfirmReceipt.name,
  cancel: CancelAction.name,
  ended: EndAction.name,
} as const;

const needsOf = (name: string) => (name === 'confirmed' ? NEEDS_RECEIPTS : undefined);

const twice = Object.entries(COMMANDS).map(([name, message]) => {
  const rules: ProtocolRuleId[] = [
    'protocol.seq.repeat',
    ...(name === 'start' ? (['protocol.start.twice'] as const) : []),
  ];
  return deviceCase(
    `twice.${name}`,
    rules,
    async (bench) => {
      await payStruck(bench, 'twice', message);
      assertOnce(bench, ACCEPTED, AuthoriseAction.name, ReceiptReady.name, ActionCompleted.name);
      await payAgain(bench);
      return `${message} came twice, and had its effect once`;
    },
    needsOf(name),
  );
});

const late = Object.entries(COMMANDS).map(([name, message]) =>
  deviceCase(
    `late.${name}`,
    ['protocol.seq.repeat', 'protocol.seq.again'],
    async (bench) => {
      await payStruck(bench, 'delay', message);
      assertOnce(bench);
      await payAgain(bench);
      return `${message} came ${LATE_MS / 1000} s late, and the action ended as it should`;
    },
    needsOf(name),
  ),
);

const outOfOrder = (['decision', 'confirmed', 'cancel'] as const).map((name) =>
  deviceCase(
    `order.${name}`,
    ['protocol.seq.repeat', 'protocol.seq.again'],
    async (bench) => {
      await payStruck(bench, 'out-of-order', COMMANDS[name]);
      assertOnce(bench);
      await payAgain(bench);
      return `${COMMANDS[name]} came after the command that followed it, and the action ended as it should`;
    },
    needsOf(name),
  ),
);

/** A payment at which each command comes with something strange. */
function withStrange(what: FaultAt<'message.command'>, rule: ProtocolRuleId, words: string): DeviceCase {
  return deviceCase(what, [rule], async (bench) => {
    const struck = [StartAction, DecideAction, EndAction].map(({ name }) => at(name, what));
    await payByTap(bench, { faults: struck });
    assertOnce(bench, AuthoriseAction.name, ActionCompleted.name);
    await payAgain(bench);
    return `${words}, and the payment was captured`;
  });
}

const STRANGE_CASES = [
  withStrange('unknown-message', 'protocol.commands.unknown', 'an unknown command came before each'),
  withStrange('cut-message', 'protocol.commands.unknown', 'a command without its end came before each'),
  withStrange('large-body', 'protocol.commands.members', 'each command had a further member of 50 kB'),
  deviceCase(
    'other-action',
    ['protocol.commands.other-action'],
    async (bench) => {
      await tapCard(bench, { faults: [at(DecideAction.name, 'other-action')] });
      const asked = await bench.expectReport(AuthoriseAction.name);
      await bench.expect(
        'ask for the authorisation again',
        ({ kind, name }) => kind === 'report' && name === AuthoriseAction.name,
        { after: asked.seq, within: 8_000 },
      );
      const first = bench.reports(ReceiptReady.name)[0];
      const again = bench.reports(AuthoriseAction.name)[1]!;
      if (first && first.seq < again.seq)
        throw new BrokenRule('it took the decision about another action for its own');
      await bench.expectEnd('Succeeded');
      return 'it did not take the decision about another action for its own';
    },
    ['decision.lost'],
  ),
  deviceCase('report-request.unknown', ['protocol.report-request.unknown'], async (bench) => {
    await tapCard(bench, { faults: [at(DecideAction.name, 'report-request')] });
    const inquired = await bench.expectReport(ActionInquired.name);
    if (inquired.body['requestedActionId'] === undefined)
      throw new BrokenRule('its action.inquired has no requestedActionId');
    await bench.expectEnd('Succeeded');
    return 'it said that it does not know the action';
  }),
  deviceCase(
    'presence.request',
    ['protocol.presence.request'],
    async (bench) => {
      // The timeline has the presence of a terminal while its action is in progress.
      await tapCard(bench, { receipts: 'PointOfSale', faults: [at(DecideAction.name, 'presence-request')] });
      await bench.expect(
        'publish presence',
        ({ kind, name, body }) => kind === 'report' && name === Presence.name && body['online'] === true,
      );
      await bench.expectReport(ReceiptReady.name);
      await bench.confirm('merchantCopy');
      await bench.confirm('customerCopy');
      await bench.expectEnd('Succeeded');
      return 'it published presence again';
    },
    NEEDS_RECEIPTS,
  ),
];

const START_CASES = [
  deviceCase('start.expired', ['protocol.start.expired'], async (bench) => {
    await bench.pay({ faults: [at(StartAction.name, 'delay', { delayMs: EXPIRED_MS, times: 100 })] });
    await bench.expectNo(ACCEPTED, { within: EXPIRED_MS + 2_000 });
    return `the start arrived ${EXPIRED_MS / 1000} s late, and it ignored it`;
  }),
  deviceCase(
    'clock',
    ['protocol.clock.offset'],
    async (bench) => {
      await bench.pay({ faults: [at(StartAction.name, 'delay', { delayMs: LATE_MS, times: 10 })] });
      await bench.advance(60);
      await bench.expectNo(ACCEPTED, { within: LATE_MS + 2_000 });
      await bench.expectEnd('Failed', 'terminal_offline');
      return 'a minute of the sandbox passed before the start arrived, and it ignored it';
    },
    ['payment', 'start.expired'],
  ),
  deviceCase('start.replaces', ['protocol.start.replaces'], async (bench) => {
    await bench.pay({ faults: [at(CancelAction.name, 'lost'), at(EndAction.name, 'lost')] });
    await bench.expectReport(ACCEPTED);
    await bench.cancel();
    const after = bench.mark();
    await bench.pay();
    await bench.expectReport(ACCEPTED, { after });
    await bench.act('tap');
    await bench.expectReport(AuthoriseAction.name, { after });
    await bench.expectEnd('Succeeded');
    return 'it did not hear of the end of the first, and took the second';
  }),
];

const DECISION_CASES = [
  deviceCase('decision.lost', ['protocol.authorise.again', 'protocol.seq.again'], async (bench) => {
    await tapCard(bench, { faults: [at(DecideAction.name, 'lost', { times: 3 })] });
    await bench.expectEnd('Succeeded', undefined, 30_000);
    const asked = bench.reports(AuthoriseAction.name);
    const gaps = asked.slice(1).map(({ atMs }, index) => atMs - asked[index]!.atMs);
    if (asked.length < 4) throw new BrokenRule(`it asked ${asked.length} times, not four times`);
    const wrong = gaps.findIndex((ms, index) => ms < 1_000 * 2 ** index || ms > 4_000 * 2 ** index + 1_000);
    if (wrong >= 0)
      throw new BrokenRule(`it asked again after ${gaps[wrong]} ms, not after ${2 ** (wrong + 1)} s`);
    assertOnce(bench);
    return `three decisions were lost, and it asked again after ${gaps.map((ms) => ms / 1000).join(', ')} s`;
  }),
  deviceCase('decision.never', ['protocol.authorise.give-up', 'protocol.abandon.timeout'], async (bench) => {
    await tapCard(bench, { faults: [at(DecideAction.name, 'lost', { times: 100 })] });
    const asked = await bench.expectReport(AuthoriseAction.name);
    const { atMs, body } = await bench.expectReport(ActionAbandoned.name, { within: 45_000 });
    if (body['code'] !== 'timeout') throw new BrokenRule(`it gave up with ${body['code']}, not with timeout`);
    const seconds = Math.round((atMs - asked.atMs) / 1000);
    if (seconds < 25) throw new BrokenRule(`it gave up after ${seconds} s, not after 30 s`);
    await bench.expectEnd('Failed', 'timeout');
    return `no decision came, and it gave up after ${seconds} s`;
  }),
  deviceCase('decision.crossed', ['protocol.decision.late'], async (bench) => {
    const crossed = {
      at: 'message.report',
      what: 'delay',
      message: AuthoriseAction.name,
      delayMs: LATE_MS,
    } as const;
    await tapCard(bench, { faults: [crossed] });
    await bench.expect(
      'ask for the authorisation',
      ({ kind, name }) => kind === 'struck' && name.includes(AuthoriseAction.name),
    );
    await bench.cancel();
    await bench.expectEnd('Cancelled');
    await bench.sleep(LATE_MS + 500);
    if (bench.reports(ReceiptReady.name).length > 0)
      throw new BrokenRule('it made a receipt of an action that was cancelled');
    await payAgain(bench);
    return 'the action was cancelled before it asked, and it made no receipt';
  }),
  deviceCase(
    'gap',
    ['protocol.seq.gap'],
    async (bench) => {
      await tapCard(bench, { receipts: 'PointOfSale', faults: [at(ConfirmReceipt.name, 'lost')] });
      const { seq } = await bench.expectReport(ReceiptReady.name);
      await bench.confirm('merchantCopy');
      await bench.confirm('customerCopy');
      await bench.expect('inquire', ({ kind, name }) => kind === 'report' && name === ActionInquired.name, {
        after: seq,
        within: 5_000,
      });
      await bench.expectEnd('Succeeded');
      return 'a command was lost, and it inquired at the next';
    },
    NEEDS_RECEIPTS,
  ),
];

export const COMMAND_CASES: readonly DeviceCase[] = [
  ...START_CASES,
  ...twice,
  ...late,
  ...outOfOrder,
  ...DECISION_CASES,
  ...STRANGE_CASES,
];
