import type { Clock } from '../../../protocol/clock.ts';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { DriverParts } from '../driver.ts';
import type { FrameChannel } from '../frame-channel.ts';
import type { DeviceOutcome, TerminalSession } from '../till/language.ts';
import { notReversed, unknown } from '../till/outcomes.ts';
import { openTerminalChannel } from '../till/terminal-port.ts';
import { outcomeOf, type CaisseAnswer } from './answer.ts';
import { createRecordParser, type RecordFrame, type RecordParser } from './record.ts';
import { ACTIONS, encodeRequest, type CaisseRequest } from './request.ts';

/** A terminal that answers later than this is given up. */
const LAST_ANSWER_MS = 600_000;

/** Silence after a whole record that ends an answer, which has no end of its own. */
const QUIET_MS = 1_000;

const ADVICE = 'look it up in the journal of the terminal';

type Parts = Pick<DriverParts, 'open' | 'clock' | 'trace' | 'allowRealTerminal'>;

/** A connection to a Caisse-AP terminal, which lasts for one message and its answer. */
interface CaisseConnection extends TerminalSession {
  /** Sends a request and returns the records of its answer. @throws Fault `reader` without a whole answer. */
  ask(request: CaisseRequest, limitMs: number): Promise<CaisseAnswer>;
}

/** Connects to a terminal. @throws Fault `reader` also for a real terminal that may not be used. */
export async function openCaisseTerminal(parts: Parts): Promise<CaisseConnection> {
  const parser = createRecordParser();
  const channel = await openTerminalChannel(parts, { settings: { baudRate: 9_600 }, parser });
  const ask = createQuestion(parts.clock, channel, parser);
  return {
    ask,
    transact({ type, amountMinor, currency }) {
      const action = type === 'Refund' ? ACTIONS.credit : ACTIONS.debit;
      return outcomeFrom(ask, { action, money: { amountMinor, currency } });
    },
    async reverse({ type, amountMinor, currency }) {
      if (type === 'Refund') return 'Caisse-AP cannot reverse a refund: do it at the terminal';
      const request = { action: ACTIONS.cancel, money: { amountMinor, currency } };
      return notReversed(await outcomeFrom(ask, request));
    },
    close: () => channel.close(),
  };
}

async function outcomeFrom(
  ask: CaisseConnection['ask'],
  request: Required<CaisseRequest>,
): Promise<DeviceOutcome> {
  try {
    return outcomeOf(await ask(request, LAST_ANSWER_MS), request);
  } catch (error) {
    // The request may have arrived, whatever failed.
    return unknown(`${messageOf(error)}: ${ADVICE}`);
  }
}

function createQuestion(
  clock: Clock,
  channel: FrameChannel<RecordFrame>,
  parser: RecordParser,
): CaisseConnection['ask'] {
  return async (request, limitMs) => {
    await channel.send(encodeRequest(request));
    const records = new Map<string, string>();
    const endMs = clock.nowMs() + limitMs;
    for (;;) {
      const isWhole = records.size > 0 && !parser.isPartial;
      const waitMs = isWhole ? QUIET_MS : endMs - clock.nowMs();
      // A terminal closes the connection after its answer.
      const frame = await channel.receive(waitMs).catch((error: unknown) => {
        if (records.size > 0 && !parser.isPartial) return undefined;
        throw error;
      });
      if (!frame && records.size > 0 && !parser.isPartial) return records;
      if (!frame) throw new Fault('reader', 'the terminal does not answer');
      if (frame.type === 'broken') throw new Fault('reader', frame.reason);
      add(records, frame.record);
    }
  };
}

/** An answer may come twice, with the same records. */
function add(records: Map<string, string>, { tag, value }: { tag: string; value: string }): void {
  if (records.has(tag) && records.get(tag) !== value)
    throw new Fault('reader', `answer, record ${tag}: it comes twice, with two values`);
  records.set(tag, value);
}
