import { Fault } from '../../../protocol/failures.ts';
import type { BytePort, LineSettings } from '../byte-port.ts';
import type { DriverParts } from '../driver.ts';
import { createFrameChannel, tracedParser, type FrameChannel, type FrameParser } from '../frame-channel.ts';
import { openInTime } from '../open-in-time.ts';

type Parts = Pick<DriverParts, 'open' | 'clock' | 'trace' | 'allowRealTerminal'>;

/** A connection to a terminal, and the frames on it. */
interface TerminalChannel<F> extends FrameChannel<F> {
  close(): Promise<void>;
}

/**
 * Connects to a payment terminal, once: what is sent on a connection that is lost is not sent again.
 * @throws Fault `reader`, also for a terminal that may be a real one and may not be used.
 */
export async function openTerminalChannel<F>(
  parts: Parts,
  { settings, parser }: { settings: LineSettings; parser: FrameParser<F> },
): Promise<TerminalChannel<F>> {
  const { clock, trace } = parts;
  const late = 'the terminal does not accept the connection';
  const port = await openInTime(clock, parts.open(settings), late);
  try {
    assertMayBeUsed(port, parts);
  } catch (error) {
    await port.close();
    throw error;
  }
  const channel = createFrameChannel({
    port,
    parser: trace ? tracedParser(parser, trace) : parser,
    clock,
    trace,
    onUnsolicited() {},
    onClosed() {},
  });
  channel.setBuffering(true);
  return {
    send: (bytes) => channel.send(bytes),
    receive: (limitMs) => channel.receive(limitMs),
    clear: () => channel.clear(),
    async close() {
      channel.close('closed');
      await port.close();
    },
  };
}

/**
 * Refuses a terminal that may be a real one. Only a program of this machine counts as a twin, since the protocols of these
 * terminals do not name the device.
 * @throws Fault `reader` unless real terminals are allowed.
 */
function assertMayBeUsed(
  { path, isLocal }: BytePort,
  { allowRealTerminal }: Pick<DriverParts, 'allowRealTerminal'>,
): void {
  if (isLocal || allowRealTerminal) return;
  throw new Fault(
    'reader',
    `${path} may be a real payment terminal, where real money moves: it is used only with --allow-real-terminal`,
  );
}
