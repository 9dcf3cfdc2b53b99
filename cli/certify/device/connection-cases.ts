import {
  ActionCompleted,
  ActionInquired,
  AuthoriseAction,
  DecideAction,
  EndAction,
  ReceiptReady,
} from '../../../protocol/messages/action.messages.ts';
import { Presence } from '../../../protocol/messages/presence.messages.ts';
import { BrokenRule, type DeviceBench } from './device-bench.ts';
import { insertCard } from './cardholder-cases.ts';
import { deviceCase, NEEDS_RECEIPTS, payByTap, tapCard, type DeviceCase } from './device-case.ts';
import type { SeenMessage } from './device-timeline.ts';
import type { ProtocolRuleId } from './protocol-rules.ts';

const ACCEPTED = 'action.accepted';
const ACTION_REPORT = /^(action|receipt)\./;

/** A state in which a device loses its power or its network. */
interface Stage {
  /** Brings an action into the state. */
  reach(bench: DeviceBench): Promise<void>;
  /** Brings it from there to its end, once the device is back. */
  finish(bench: DeviceBench, cut: 'power' | 'network'): Promise<void>;
  /** The report that the device sends again. */
  repeats?: string;
}

/** Takes a payment whose completion is lost. */
export async function loseCompletion(bench: DeviceBench): Promise<void> {
  await tapCard(bench, {
    faults: [{ at: 'message.report', what: 'lost', message: ActionCompleted.name }],
  });
  const isLost = ({ kind, name }: SeenMessage) => kind === 'struck' && name.includes(ActionCompleted.name);
  await bench.expect('complete the payment', isLost, { within: 60_000 });
}

const STAGES: Record<string, Stage> = {
  idle: {
    // Of a device that has had an action, whose journal is empty again.
    async reach(bench) {
      await payByTap(bench);
      await bench.sleep(500);
    },
    async finish(bench) {
      await payByTap(bench);
    },
  },
  card: {
    async reach(bench) {
      await bench.pay();
      await bench.expectReport(ACCEPTED);
    },
    async finish(bench) {
      await bench.act('tap');
      await bench.expectEnd('Succeeded');
    },
  },
  pin: {
    async reach(bench) {
      await insertCard(bench);
    },
    async finish(bench, cut) {
      if (cut === 'power') await bench.act('insert');
      await bench.type('pin');
      await bench.expectEnd('Succeeded', undefined, 40_000);
    },
  },
  decision: {
    async reach(bench) {
      const lost = { at: 'message.command', what: 'lost', message: DecideAction.name, times: 100 } as const;
      await tapCard(bench, { faults: [lost] });
      await bench.expectReport(AuthoriseAction.name);
    },
    async finish(bench) {
      await bench.expectEnd('Succeeded');
    },
    repeats: AuthoriseAction.name,
  },
  receipt: {
    async reach(bench) {
      await tapCard(bench, { receipts: 'PointOfSale' });
      await bench.expectReport(ReceiptReady.name);
    },
    async finish(bench) {
      await bench.confirm('merchantCopy');
      await bench.confirm('customerCopy');
      await bench.expectEnd('Succeeded');
    },
  },
  completed: {
    reach: loseCompletion,
    async finish(bench) {
      await bench.expectEnd('Succeeded');
    },
    repeats: ActionCompleted.name,
  },
  ended: {
    async reach(bench) {
      await payByTap(bench, { faults: [{ at: 'message.command', what: 'lost', message: EndAction.name }] });
    },
    async finish(bench) {
      const { seq } = bench.reports(ActionInquired.name).at(-1)!;
      const isEnd = ({ kind, name }: SeenMessage) => kind === 'command' && name === EndAction.name;
      await bench.expect('hear of the end', isEnd, { after: seq });
      await payByTap(bench);
    },
  },
};

/**
 * Stages without an action in progress: the timeline has the presence of a terminal only during one. That it has published it is
 * seen by the server's opinion of it, which its last will has made offline.
 */
const PRESENCE_UNSEEN: ReadonlySet<string> = new Set(['idle', 'ended']);

/** @throws BrokenRule when a device that has inquired stays offline for the server */
async function expectPresent(bench: DeviceBench): Promise<void> {
  for (let waited = 0; !(await bench.isOnline()); waited += 1) {
    if (waited > 20) throw new BrokenRule('it connected again, and did not publish presence');
    await bench.sleep(500);
  }
}

/** Returns the inquiry of a device that has come back. @throws BrokenRule when it is not as the protocol has it */
async function expectInquiry(
  bench: DeviceBench,
  stage: string,
  { after, within }: { after: number; within: number },
) {
  const isFirst = ({ kind, name }: SeenMessage) => kind === 'report' && ACTION_REPORT.test(name);
  const first = await bench.expect('come back and inquire', isFirst, { after, within });
  if (first.name !== ActionInquired.name)
    throw new BrokenRule(`it sent ${first.name} before its action.inquired`);
  const { actionId, seq } = first.body;
  const earlier = bench.reports().filter((one) => one.seq <= after && ACTION_REPORT.test(one.name));
  if (stage === 'idle') {
    if (actionId !== undefined) throw new BrokenRule('its action.inquired names an action that has ended');
    return first;
  }
  if (actionId === undefined) throw new BrokenRule('its action.inquired names no action');
  const last = Math.max(0, ...earlier.map(({ body }) => Number(body['seq'])));
  if (Number(seq) <= last) throw new BrokenRule(`its action.inquired has the number ${seq}, after ${last}`);
  if (PRESENCE_UNSEEN.has(stage)) return first;
  const present = bench
    .reports(Presence.name)
    .find((one) => one.seq > after && one.seq < first.seq && one.body['online'] === true);
  if (!present) throw new BrokenRule('it sent action.inquired before presence');
  return first;
}

const CUTS = {
  network: { off: 'network-off', on: 'network-on', within: 20_000 },
  power: { off: 'power-cut', on: 'power-on', within: 90_000 },
} as const;

/** Cuts a device off, lets it come back, and brings its action to its end. */
async function cutOff(bench: DeviceBench, name: string, cut: 'power' | 'network'): Promise<void> {
  const stage = STAGES[name]!;
  await stage.reach(bench);
  const { off, on, within } = CUTS[cut];
  await bench.act(off);
  await bench.sleep(500);
  const after = bench.mark();
  await bench.endFaults();
  await bench.act(on);
  const inquired = await expectInquiry(bench, name, { after, within });
  await expectPresent(bench);
  if (stage.repeats) await bench.expectReport(stage.repeats, { after: inquired.seq });
  await stage.finish(bench, cut);
  const inquiries = bench.reports(ActionInquired.name).filter((one) => one.seq > inquired.seq);
  if (name === 'card' && inquiries.length > 0)
    throw new BrokenRule('it inquired again at a command whose number was the next');
}

const RULES_OF: Record<string, readonly ProtocolRuleId[]> = {
  idle: ['protocol.inquiry.empty', 'protocol.end.journal'],
  card: ['protocol.accept.journal', 'protocol.seq.journal', 'protocol.inquiry.names-action'],
  ended: ['protocol.end.journal', 'protocol.inquiry.names-action'],
  completed: ['protocol.reconnect.repeats', 'protocol.inquiry.names-action'],
  decision: ['protocol.reconnect.repeats', 'protocol.inquiry.names-action'],
};

function rulesOf(stage: string, more: readonly ProtocolRuleId[]): ProtocolRuleId[] {
  return [...more, ...(RULES_OF[stage] ?? ['protocol.inquiry.names-action'])];
}

const needsOf = (stage: string) => (stage === 'receipt' ? NEEDS_RECEIPTS : undefined);

const reconnects = Object.keys(STAGES).map((stage) =>
  deviceCase(
    `reconnect.${stage}`,
    rulesOf(stage, ['protocol.inquiry.first', 'protocol.presence.on-connect', 'protocol.reconnect.soon']),
    async (bench) => {
      await cutOff(bench, stage, 'network');
      return 'it came back, inquired first, and the payment was captured';
    },
    needsOf(stage),
  ),
);

const powerCuts = Object.keys(STAGES).map((stage) =>
  deviceCase(
    `power-cut.${stage}`,
    rulesOf(stage, [
      'protocol.power.once',
      // The rules of some stages have it themselves.
      ...(['idle', 'card'].includes(stage) ? [] : (['protocol.accept.journal'] as const)),
    ]),
    async (bench) => {
      await cutOff(bench, stage, 'power');
      return 'it came back, inquired first, and the payment was captured once';
    },
    needsOf(stage),
  ),
);

/** Of a device whose simulator does not pair it: one that is paired again belongs to another program. */
export const PAIR_AGAIN = deviceCase('pair-again', ['protocol.reconnect.rejected'], async (bench) => {
  const after = bench.mark();
  await bench.act('pair-again');
  await expectInquiry(bench, 'idle', { after, within: 90_000 });
  await payByTap(bench);
  return 'it came back with its new credentials, and a payment was captured';
});

export const CONNECTION_CASES: readonly DeviceCase[] = [
  // First: one that does not publish its presence again stays offline for all that come later.
  ...reconnects,
  deviceCase('will', ['protocol.presence.will'], async (bench) => {
    await bench.act('power-cut');
    try {
      for (let waited = 0; await bench.isOnline(); waited += 1) {
        if (waited > 120) throw new BrokenRule('it was not offline a minute after its power was cut');
        await bench.sleep(500);
      }
    } finally {
      await bench.act('power-on');
    }
    return 'its power was cut, and its last will said that it is offline';
  }),
  deviceCase('no-queue', ['protocol.reconnect.no-queue'], async (bench) => {
    await bench.pay();
    await bench.expectReport(ACCEPTED);
    await bench.act('network-off');
    await bench.sleep(300);
    const after = bench.mark();
    await bench.act('tap');
    await bench.sleep(2_000);
    await bench.act('network-on');
    await expectInquiry(bench, 'card', { after, within: 20_000 });
    await bench.expectReport(AuthoriseAction.name, { after });
    await bench.expectEnd('Succeeded');
    return 'it read a card while it was offline, and asked for the authorisation after its inquiry';
  }),
  ...powerCuts,
];
