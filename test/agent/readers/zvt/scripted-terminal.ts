import type { BytePort } from '../../../../agent/readers/byte-port.ts';
import { DEVICE_PROTECTION } from '../../../kit/device-protection.ts';
import type { PendingReversalStore } from '../../../../agent/readers/pending-reversal-store.ts';
import type { DriverParts } from '../../../../agent/readers/driver.ts';
import { seededRandom } from '../../../../protocol/ids.ts';
import { silentLog } from '../../../../protocol/log.ts';
import { bytePipe } from '../../../../simulator/twins/byte-pipe.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';
import { messagesIn } from '../../../kit/zvt-messages.ts';

/** Returns the messages of a terminal for a command, in hexadecimal and in order, or a refusal that starts with 84. */
export type Script = (command: string) => string[] | undefined;

/**
 * A TCP terminal that sends bytes written in the test, taken from recordings of terminals and other programs. It
 * shares no code with the driver and the twin. It refuses commands that the script does not handle with 84 83.
 */
export function scriptedTerminal(script: Script, more: { pendingReversals?: PendingReversalStore } = {}) {
  const clock = new VirtualClock(Date.UTC(2026, 10, 20, 12));
  const commands: string[] = [];
  const open = async (): Promise<BytePort> => {
    const [ours, device] = bytePipe({ clock, latencyMs: 1, path: 'tcp://192.0.2.1' });
    let waiting: string[] = [];
    const say = (hex: string | undefined) => {
      if (hex !== undefined) void device.write(Buffer.from(hex.replaceAll(' ', ''), 'hex')).catch(() => {});
    };
    const handleMessage = (hex: string) => {
      if (/^8[04]/.test(hex)) return say(waiting.shift());
      commands.push(hex);
      const [first, ...others] = script(hex) ?? ['84 83 00'];
      if (first?.startsWith('84')) return say(first);
      waiting = [...(first === undefined ? [] : [first]), ...others];
      say('80 00 00');
      return say(waiting.shift());
    };
    device.onData((bytes) => messagesIn(bytes).forEach(handleMessage));
    return ours;
  };
  const parts: DriverParts = {
    open,
    clock,
    random: seededRandom('driver'),
    log: silentLog,
    ...DEVICE_PROTECTION,
    countryCode: '0276',
    allowRealTerminal: true,
    ...more,
  };
  return {
    clock,
    parts,
    /** Commands received so far, in upper-case hexadecimal. */
    commands,
  };
}
