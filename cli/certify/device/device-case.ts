import { CARD_NUMBER_MASKED } from '../../../protocol/card-numbers.ts';
import type { FaultAt } from '../../../server/platform/faults/cut-points.ts';
import type { CaseOutcome, CertificateCase } from '../certificate.ts';
import { caseTitle } from './case-titles.ts';
import { BrokenRule, NotEnded, type DeviceBench, type DeviceFault } from './device-bench.ts';
import type { SeenMessage } from './device-timeline.ts';
import { PROTOCOL_RULES, type ProtocolRuleId } from './protocol-rules.ts';

/** A case of a certificate of a device, with the rules of docs/protocol.md that it shows. */
export interface DeviceCase extends CertificateCase<DeviceBench> {
  shows: readonly ProtocolRuleId[];
}

/** What a device must be able to do before most cases show anything: take a payment. */
const PAYMENT = ['payment'] as const;

/** Needs of a case whose receipts are those of the point of sale. */
export const NEEDS_RECEIPTS = ['receipt.point-of-sale'] as const;

/**
 * Returns a case. It passes when `run` resolves, with what that saw, and fails where `run` throws `BrokenRule`.
 * @param needs names of cases that must have passed before: without them it would fail for another rule than its own
 */
export function deviceCase(
  name: string,
  shows: readonly ProtocolRuleId[],
  run: (bench: DeviceBench) => Promise<string>,
  needs: readonly string[] = PAYMENT,
): DeviceCase {
  return {
    id: `device.${name}`,
    rule: shows.map((id) => `${PROTOCOL_RULES[id].text} (${id})`).join(' '),
    title: caseTitle(name),
    rules: shows.map((rule) => ({
      id: rule,
      text: PROTOCOL_RULES[rule].text,
      document: `docs/protocol.md#${rule}`,
    })),
    needs: needs.map((need) => `device.${need}`),
    shows,
    async run(bench): Promise<CaseOutcome> {
      await bench.settle();
      try {
        const reason = await run(bench);
        await bench.endFaults();
        return { verdict: 'passed', reason };
      } catch (thrown) {
        if (thrown instanceof BrokenRule) return { verdict: 'failed', reason: withRefusal(bench, thrown) };
        throw thrown;
      } finally {
        // The next case may begin with another card.
        await bench.takeCardOut();
      }
    },
  };
}

/**
 * Returns the reason with the report that the server did not use, if there is one: that may be what was missed. A repeat is
 * allowed, and missed only where the action did not end: its number was taken for that of an earlier report.
 */
function withRefusal(bench: DeviceBench, broken: BrokenRule): string {
  const reason = broken.message;
  const found = refusedReport(bench) ?? (broken instanceof NotEnded ? repeats(bench).at(-1) : undefined);
  const refusal = found && refusalOf(found);
  return refusal === undefined || reason.includes(refusal) ? reason : `${reason}; ${refusal}`;
}

/** Returns what is said of a report that was refused. */
export const refusalOf = ({ name, body }: SeenMessage): string =>
  `its ${name} was refused: ${body['reason']}`;

/** Returns the first report that the server refused for what it is. One with a card number or out of sequence is used all the same. */
export function refusedReport(bench: DeviceBench): SeenMessage | undefined {
  return bench.seen().find(({ kind, body }) => kind === 'refused' && !isAllowed(String(body['reason'])));
}

/** Returns the reports that the server dropped since their number was not new: MQTT may deliver a report again. */
export function repeats(bench: DeviceBench): SeenMessage[] {
  return bench.seen().filter(({ kind, body }) => kind === 'refused' && isRepeat(String(body['reason'])));
}

const isRepeat = (reason: string) => reason.startsWith('repeated:');
const isAllowed = (reason: string) =>
  reason === CARD_NUMBER_MASKED || reason.startsWith('out of sequence:') || isRepeat(reason);

/** Takes a payment with a card that is tapped, up to the request for its authorisation. */
export async function tapCard(
  bench: DeviceBench,
  payment?: Parameters<DeviceBench['pay']>[0],
): Promise<string> {
  const sessionId = await bench.pay(payment);
  await bench.expectReport('action.accepted');
  await bench.act('tap');
  return sessionId;
}

/** Takes a payment with a card that is tapped, to its end. */
export async function payByTap(
  bench: DeviceBench,
  payment?: Parameters<DeviceBench['pay']>[0],
): Promise<string> {
  const sessionId = await tapCard(bench, payment);
  await bench.expectEnd('Succeeded');
  return sessionId;
}

/** Returns a fault at a command of the server. */
export function at(
  message: string,
  what: FaultAt<'message.command'>,
  more: { delayMs?: number; times?: number } = {},
): DeviceFault {
  return { at: 'message.command', what, message, ...more };
}

/** Takes another payment, which shows that nothing is left of the one before. */
export async function payAgain(bench: DeviceBench): Promise<void> {
  await bench.endFaults();
  await payByTap(bench);
}
