import { createHash } from 'node:crypto';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { LineSettings } from '../byte-port.ts';
import type { DriverParts } from '../driver.ts';
import type { CardRequest } from '../reader.ts';
import type { DeviceOutcome, TerminalSession } from '../till/language.ts';
import { notReversed, unknown } from '../till/outcomes.ts';
import { openTerminalChannel } from '../till/terminal-port.ts';
import { createFrameParser } from './frame.ts';
import { createConcertLink, type ConcertLink, type Sent } from './link.ts';
import { outcomeOf, requestText, TYPES, type ConcertRequest } from './message.ts';

/** 7E1 on RS-232. A virtual port of USB ignores it. */
const LINE: LineSettings = { baudRate: 9_600, dataBits: 7, parity: 'even' };

/** A terminal that answers later than this is given up. */
const LAST_ANSWER_MS = 600_000;

const ADVICE = 'look it up in the journal of the terminal';

type Parts = Pick<DriverParts, 'open' | 'clock' | 'trace' | 'allowRealTerminal'>;

const NOT_SENT: Record<Exclude<Sent, 'taken' | 'unclear'>, string> = {
  notFree: 'the terminal is not free',
  noTerminal: 'the terminal does not answer',
  refused: 'the terminal refuses the request three times (NAK)',
};

/** Connects to a terminal that is free. @throws Fault `reader` when it is not, or may not be used. */
export async function openConcertTerminal(parts: Parts): Promise<TerminalSession> {
  const channel = await openTerminalChannel(parts, { settings: LINE, parser: createFrameParser() });
  const link = createConcertLink(channel, parts.clock);
  try {
    const polled = await link.poll();
    if (polled !== 'taken') throw new Fault('reader', polled === 'unclear' ? '' : NOT_SENT[polled]);
  } catch (error) {
    await channel.close();
    throw error;
  }
  return {
    transact: (request) => outcomeFrom(link, requestOf(request)),
    async reverse(request) {
      if (request.type === 'Refund') return 'Concert cannot reverse a refund: do it at the terminal';
      return notReversed(await outcomeFrom(link, { ...requestOf(request), type: TYPES.cancel }));
    },
    close: () => channel.close(),
  };
}

async function outcomeFrom(link: ConcertLink, request: ConcertRequest): Promise<DeviceOutcome> {
  try {
    const sent = await link.send(requestText(request));
    if (sent === 'unclear') return unknown(`the terminal does not acknowledge the request: ${ADVICE}`);
    if (sent !== 'taken') return { type: 'failed', reason: NOT_SENT[sent] };
    const answer = await link.receive(LAST_ANSWER_MS);
    if (answer === undefined) return unknown(`the terminal does not answer: ${ADVICE}`);
    return outcomeOf(answer, request);
  } catch (error) {
    // The request may have arrived, whatever failed.
    return unknown(`${messageOf(error)}: ${ADVICE}`);
  }
}

const PRIVATE_LETTERS = 10;

/** The private data of a request tells its answer from that of another. */
function requestOf({ actionId, type, amountMinor, currency }: CardRequest): ConcertRequest {
  const digest = createHash('sha256').update(actionId).digest('hex').toUpperCase();
  return {
    type: type === 'Refund' ? TYPES.credit : TYPES.debit,
    amountMinor,
    currency,
    privateData: digest.slice(0, PRIVATE_LETTERS),
  };
}
