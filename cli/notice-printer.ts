import type { Notice } from '../server/platform/notices.ts';
import { coloured, type Colour } from './output.ts';
import type { Sink } from './command-context.ts';
import { sanitizeText } from './sanitize-text.ts';

const two = (number: number) => String(number).padStart(2, '0');

/** Time of day where the person is, `09:05:07`. */
export function formatTime(epochMs: number): string {
  const instant = new Date(epochMs);
  return [instant.getHours(), instant.getMinutes(), instant.getSeconds()].map(two).join(':');
}

export interface NoticePrinterParts {
  out: Sink;
  nowMs(): number;
  /** The serial number of a terminal, which people know better than its id. */
  nameOf(terminalId: string): string;
}

const TOPIC_COLUMNS = 8;

/** A line of the console: what it is about, what happened, and how to take it. */
interface Line {
  topic: string;
  text: string;
  colour?: Colour;
}

/**
 * Writes a readable line for each thing that happens. The same question asked again and again, as by a client
 * that polls, is one line.
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
    // Terminals and clients choose some of the words.
    const words = sanitizeText(line.text);
    const text = line.colour ? coloured(out, line.colour, words) : words;
    out.write(`${time}  ${line.topic.padEnd(TOPIC_COLUMNS)}  ${text}\n`);
  };
}

// Asked by whoever waits for the server, and by simulators on behalf of their terminals.
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
      return undefined; // For who looks closer: the dashboard.
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
    case 'event.recorded':
      return { topic: 'event', text: `${notice.eventType}  ${notice.objectId}` };
    case 'webhook.attempted': {
      const { eventType, url, attempt, answer, acknowledged } = notice;
      const tries = attempt > 1 ? `  attempt ${attempt}` : '';
      const text = `${eventType} to ${url}: ${answer}${tries}`;
      return { topic: 'webhook', text, ...(acknowledged ? {} : { colour: 'red' as const }) };
    }
  }
}
