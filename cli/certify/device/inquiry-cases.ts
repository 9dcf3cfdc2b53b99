import { Fault } from '../../../protocol/failures.ts';
import {
  ActionAccepted,
  ActionInquired,
  DecideAction,
  EndAction,
  ReceiptReady,
  RequestReport,
} from '../../../protocol/messages/action.messages.ts';
import { BrokenRule, type DeviceBench } from './device-bench.ts';
import { loseCompletion } from './connection-cases.ts';
import { at, deviceCase, NEEDS_RECEIPTS, payByTap, tapCard } from './device-case.ts';
import type { SeenMessage } from './device-timeline.ts';

/** An inquiry arrives so late, once an action has begun meanwhile. A person presses Enter some time after it was sent. */
const LATE_MS = 8_000;
const LATE_FOR_PERSON_MS = 40_000;
const ARRIVED = { within: LATE_FOR_PERSON_MS + 10_000 };

/** Has the inquiry of an idle device arrive once an action has begun. @returns when it is under way */
async function delayInquiry(bench: DeviceBench): Promise<void> {
  const delayMs = bench.isAutomatic ? LATE_MS : LATE_FOR_PERSON_MS;
  await bench.plan([{ at: 'message.report', what: 'delay', message: ActionInquired.name, delayMs }]);
  await bench.act('network-off');
  await bench.act('network-on');
  const isDelayed = ({ kind, name }: SeenMessage) => kind === 'struck' && name.includes(ActionInquired.name);
  await bench.expect('come back and inquire', isDelayed, { within: 30_000 });
}

const isRequest = ({ kind, name }: SeenMessage) => kind === 'command' && name === RequestReport.name;

/** What a device asks and answers without losing its connection. */
export const INQUIRY_CASES = [
  deviceCase('start.again', ['protocol.start.again'], async (bench) => {
    await delayInquiry(bench);
    await bench.pay({ faults: [{ at: 'message.report', what: 'lost', message: ActionAccepted.name }] });
    await bench.expectReport(ActionAccepted.name, ARRIVED);
    await bench.act('tap');
    await bench.expectEnd('Succeeded');
    return 'the start came again, with a new number, and it accepted it again';
  }),
  deviceCase('report-request.card', ['protocol.report-request.state'], async (bench) => {
    await delayInquiry(bench);
    await bench.pay();
    await bench.expectReport(ActionAccepted.name);
    const { seq } = await bench.expect('get a report.request', isRequest, ARRIVED);
    await bench.expectReport(ActionInquired.name, { after: seq, within: 5_000 });
    await bench.expectReport(ActionAccepted.name, { after: seq, within: 5_000 });
    await bench.act('tap');
    await bench.expectEnd('Succeeded');
    return 'it inquired, and accepted the action again';
  }),
  deviceCase('twice.report-request', ['protocol.seq.repeat'], async (bench) => {
    await delayInquiry(bench);
    await bench.pay({ faults: [at(RequestReport.name, 'twice')] });
    await bench.expectReport(ActionAccepted.name);
    const { seq } = await bench.expect('get a report.request', isRequest, ARRIVED);
    await bench.expectReport(ActionInquired.name, { after: seq, within: 5_000 });
    await bench.sleep(1_000);
    const inquiries = bench.reports(ActionInquired.name).filter((one) => one.seq > seq);
    if (inquiries.length > 1) throw new BrokenRule(`it inquired ${inquiries.length} times`);
    await bench.act('tap');
    await bench.expectEnd('Succeeded');
    return 'report.request came twice, and it inquired once';
  }),
  deviceCase(
    'report-request.receipt',
    ['protocol.report-request.state'],
    async (bench) => {
      await delayInquiry(bench);
      await tapCard(bench, { receipts: 'PointOfSale' });
      await bench.expectReport(ReceiptReady.name);
      const { seq } = await bench.expect('get a report.request', isRequest, ARRIVED);
      await bench.expectReport(ActionInquired.name, { after: seq, within: 5_000 });
      await bench.expectReport(ReceiptReady.name, { after: seq, within: 5_000 });
      await bench.confirm('merchantCopy');
      await bench.confirm('customerCopy');
      await bench.expectEnd('Succeeded');
      return 'it inquired, and sent the receipt again';
    },
    NEEDS_RECEIPTS,
  ),
  deviceCase('report-request.ended', ['protocol.report-request.ended'], async (bench) => {
    await delayInquiry(bench);
    const delayMs = bench.isAutomatic ? LATE_MS : LATE_FOR_PERSON_MS;
    await bench.pay({ faults: [at(RequestReport.name, 'delay', { delayMs })] });
    await bench.expectReport(ActionAccepted.name);
    const isHeld = ({ kind, name }: SeenMessage) => kind === 'struck' && name.includes(RequestReport.name);
    const held = await bench.expect('inquire', isHeld, ARRIVED);
    await bench.act('tap');
    const ended = await bench.expectEnd('Succeeded');
    if (ended.atMs - held.atMs >= delayMs)
      throw new Fault('timed_out', 'the action had not ended when its report.request came');
    // The gap that it has left in the numbers is a reason to inquire too: that inquiry names the action.
    const inquired = await bench.expect(
      'inquire once the action had ended',
      ({ kind, name, body }) =>
        kind === 'report' && name === ActionInquired.name && body['actionId'] === undefined,
      { after: ended.seq, within: delayMs + 5_000 },
    );
    if (inquired.body['requestedActionId'] === undefined)
      throw new BrokenRule('its action.inquired has no requestedActionId');
    return 'report.request came once the action had ended, and it inquired with its id';
  }),
  deviceCase('completed.lost', ['protocol.end.inquire'], async (bench) => {
    await loseCompletion(bench);
    const after = bench.mark();
    await bench.expectReport(ActionInquired.name, { after, within: 20_000 });
    await bench.expectEnd('Succeeded');
    return 'its action.completed was lost; it inquired, and the payment was captured';
  }),
  deviceCase('ended.lost', ['protocol.end.inquire'], async (bench) => {
    await payByTap(bench, {
      faults: [
        { at: 'message.command', what: 'lost', message: EndAction.name, forMs: 25_000 },
        { at: 'message.command', what: 'lost', message: DecideAction.name, nth: 2, forMs: 5_000 },
      ],
    });
    const first = await bench.expectReport(ActionInquired.name, { within: 20_000 });
    const second = await bench.expectReport(ActionInquired.name, { after: first.seq, within: 40_000 });
    const seconds = Math.round((second.atMs - first.atMs) / 1000);
    if (seconds < 25) throw new BrokenRule(`it inquired again after ${seconds} s, not after 30 s`);
    await bench.endFaults();
    await payByTap(bench);
    return `the end was lost twice, and it inquired again after ${seconds} s`;
  }),
];
