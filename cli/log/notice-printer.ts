import type { Notice } from '../../server/platform/notices.ts';
import { formatMinor } from '../../protocol/money.ts';
import { coloured, type Colour } from '../command-line/output.ts';
import type { Sink } from '../command-line/command-context.ts';
import { sanitizeText } from '../command-line/sanitize-text.ts';

const two = (number: number) => String(number).padStart(2, '0');

/** Formats the local time of day, `09:05:07`. */
export function formatTime(epochMs: number): string {
  const instant = new Date(epochMs);
  return [instant.getHours(), instant.getMinutes(), instant.getSeconds()].map(two).join(':');
}

interface NoticePrinterParts {
  out: Sink;
  nowMs(): number;
  /** Returns the name to print for a terminal, such as its serial number. */
  nameOf(terminalId: string): string;
}

const TOPIC_COLUMNS = 8;

/** A printed line: its topic, text and colour. */
interface Line {
  topic: string;
  text: string;
  colour?: Colour;
}

/**
 * Prints one line for each notice of the server. Repeated identical GET requests, as of a polling client, print one
 * line.
 */
export function createNoticePrinter({ out, nowMs, nameOf }: NoticePrinterParts): (notice: Notice) => void {
  let lastRead = '';
  return (notice) => {
    if (notice.kind === 'request') {
      const read = notice.method === 'GET' ? `${notice.path} ${notice.status}` : '';
      if (read !== '' && read === lastRead) return;
      lastRead = read;
    }
    const line = lineOf(notice, nameOf);
    if (!line) return;
    const time = coloured(out, 'dim', formatTime(nowMs()));
    // Terminals and clients choose parts of the text.
    const words = sanitizeText(line.text);
    const text = line.colour ? coloured(out, line.colour, words) : words;
    out.write(`${time}  ${line.topic.padEnd(TOPIC_COLUMNS)}  ${text}\n`);
  };
}

// Health checks, and the pairing requests of simulators.
const NOT_SHOWN = /^\/(healthz$|pairing\/)/;

const STATUS_COLOURS: Record<string, Colour> = { Succeeded: 'green', Failed: 'red', Cancelled: 'yellow' };

function lineOf(notice: Notice, nameOf: (terminalId: string) => string): Line | undefined {
  switch (notice.kind) {
    case 'request': {
      const { method, path, status, elapsedMs } = notice;
      if (status < 400 && NOT_SHOWN.test(path)) return undefined;
      const text = `${method} ${path}  ${status}  ${elapsedMs.toFixed(1)} ms`;
      return { topic: 'request', text, ...(status >= 400 ? { colour: 'yellow' as const } : {}) };
    }
    case 'terminal.registered':
      return { topic: 'terminal', text: `${notice.serialNumber} registered  ${notice.terminalId}` };
    case 'terminal.removed':
      return { topic: 'terminal', text: `${nameOf(notice.terminalId)} deleted` };
    case 'sandbox.reset':
    case 'clock.advanced':
    case 'call.began':
    case 'call.answered':
      return undefined; // Its request is shown.
    case 'machine.stepped':
    case 'message.sent':
    case 'message.received':
    case 'terminal.changed':
      return undefined; // Shown in the dashboard only.
    case 'terminal.presence':
      return {
        topic: 'terminal',
        text: `${nameOf(notice.terminalId)} ${notice.online ? 'online' : 'offline'}`,
      };
    case 'terminal.stepped':
      return {
        topic: 'step',
        text: `${nameOf(notice.terminalId)} ${notice.event}, now ${notice.state}`,
        colour: 'dim',
      };
    case 'action.updated': {
      const { terminalId, type, status, detail } = notice;
      const text = [`${nameOf(terminalId)} ${type} ${status}`, detail].filter(Boolean).join(': ');
      const colour = STATUS_COLOURS[status];
      return { topic: 'action', text, ...(colour ? { colour } : {}) };
    }
    case 'device.reversed': {
      const { terminalId, outcome, reference, amountMinor, currency, reason } = notice;
      const isReversed = outcome === 'Reversed';
      const done = isReversed ? 'reversed' : 'did not reverse';
      const receipt = reference === null ? '' : `, receipt ${reference}`;
      const text = `${nameOf(terminalId)} ${done} ${formatMinor(amountMinor, currency)}${receipt}`;
      return {
        topic: 'action',
        text: [text, reason].filter(Boolean).join(': '),
        colour: isReversed ? 'yellow' : 'red',
      };
    }
    case 'event.recorded':
      return { topic: 'event', text: `${notice.eventType}  ${notice.objectId}` };
    case 'fault.struck':
      return { topic: 'fault', text: `${notice.what}: ${notice.subject}`, colour: 'yellow' };
    case 'webhook.attempted': {
      const { eventType, url, attempt, answer, acknowledged } = notice;
      const tries = attempt > 1 ? `  attempt ${attempt}` : '';
      const text = `${eventType} to ${url}: ${answer}${tries}`;
      return { topic: 'webhook', text, ...(acknowledged ? {} : { colour: 'red' as const }) };
    }
  }
}
