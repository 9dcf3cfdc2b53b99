import type { FaultAt } from '../../../server/platform/faults/cut-points.ts';
import type { CaseOutcome, CertificateCase } from '../certificate.ts';
import { BrokenRule, type DeviceBench, type DeviceFault } from './device-bench.ts';
import { PROTOCOL_RULES, type ProtocolRuleId } from './protocol-rules.ts';

/** A case of a certificate of a device, with the rules of docs/protocol.md that it shows. */
export interface DeviceCase extends CertificateCase<DeviceBench> {
  shows: readonly ProtocolRuleId[];
}

/**
 * Returns a case. It passes when `run` resolves, with what that saw, and fails where `run` throws `BrokenRule`.
 * @param needs names of cases that must have passed before
 */
export function deviceCase(
  name: string,
  shows: readonly ProtocolRuleId[],
  run: (bench: DeviceBench) => Promise<string>,
  needs: readonly string[] = [],
): DeviceCase {
  return {
    id: `device.${name}`,
    rule: shows.map((id) => `${PROTOCOL_RULES[id].text} (${id})`).join(' '),
    needs: needs.map((need) => `device.${need}`),
    shows,
    async run(bench): Promise<CaseOutcome> {
      await bench.settle();
      try {
        const reason = await run(bench);
        await bench.endFaults();
        return { verdict: 'passed', reason };
      } catch (thrown) {
        if (thrown instanceof BrokenRule) return { verdict: 'failed', reason: thrown.message };
        throw thrown;
      } finally {
        // The next case may begin with another card.
        await bench.takeCardOut();
      }
    },
  };
}

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
