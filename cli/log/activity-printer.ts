import type { Activity } from '../../server/platform/activities.ts';
import { formatMinor } from '../../protocol/money.ts';
import { coloured, type Colour, sanitizeText } from '../command-line/output.ts';
import type { Sink } from '../command-line/command-context.ts';

const two = (number: number) => String(number).padStart(2, '0');

/** Formats the local time of day, `09:05:07`. */
export function formatTime(epochMs: number): string {
  const instant = new Date(epochMs);
  return [instant.getHours(), instant.getMinutes(), instant.getSeconds()].map(two).join(':');
}

interface ActivityPrinterParts {
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
 * Prints one line for each activity of the server. Repeated identical GET requests, as of a polling client, print one
 * line.
 */
export function createActivityPrinter({
  out,
  nowMs,
  nameOf,
}: ActivityPrinterParts): (activity: Activity) => void {
  let lastRead = '';
  return (activity) => {
    if (activity.kind === 'request') {
      const read = activity.method === 'GET' ? `${activity.path} ${activity.status}` : '';
      if (read !== '' && read === lastRead) return;
      lastRead = read;
    }
    const line = lineOf(activity, nameOf);
    if (!line) return;
    const time = coloured(out, 'dim', formatTime(nowMs()));
    // Terminals and clients choose parts of the text.
    const words = sanitizeText(line.text);
    const text = line.colour ? coloured(out, line.colour, words) : words;
    out.write(`${time}  ${line.topic.padEnd(TOPIC_COLUMNS)}  ${text}\n`);
  };
}

// Health checks, the pairing requests of simulators, a command that waits for what a person answers, and a page that watches a drill.
const NOT_SHOWN =
  /^\/(healthz$|pairing\/|sandbox\/certificates\/[^/]+\/answers$|dashboard\/drills(\/[^/]+)?$)/;

const STATUS_COLOURS: Record<string, Colour> = { Succeeded: 'green', Failed: 'red', Cancelled: 'yellow' };

function lineOf(activity: Activity, nameOf: (terminalId: string) => string): Line | undefined {
  switch (activity.kind) {
    case 'request': {
      const { method, path, status, elapsedMs } = activity;
      if (status < 400 && NOT_SHOWN.test(path)) return undefined;
      const text = `${method} ${path}  ${status}  ${elapsedMs.toFixed(1)} ms`;
      return { topic: 'request', text, ...(status >= 400 ? { colour: 'yellow' as const } : {}) };
    }
    case 'terminal.registered':
      return { topic: 'terminal', text: `${activity.serialNumber} registered  ${activity.terminalId}` };
    case 'terminal.removed':
      return { topic: 'terminal', text: `${nameOf(activity.terminalId)} deleted` };
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
        text: `${nameOf(activity.terminalId)} ${activity.online ? 'online' : 'offline'}`,
      };
    case 'terminal.stepped':
      return {
        topic: 'step',
        text: `${nameOf(activity.terminalId)} ${activity.event}, now ${activity.state}`,
        colour: 'dim',
      };
    case 'action.updated': {
      const { terminalId, type, status, detail } = activity;
      const text = [`${nameOf(terminalId)} ${type} ${status}`, detail].filter(Boolean).join(': ');
      const colour = STATUS_COLOURS[status];
      return { topic: 'action', text, ...(colour ? { colour } : {}) };
    }
    case 'device.reversed': {
      const { terminalId, outcome, reference, amountMinor, currency, reason } = activity;
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
      return { topic: 'event', text: `${activity.eventType}  ${activity.objectId}` };
    case 'fault.struck':
      return { topic: 'fault', text: `${activity.what}: ${activity.subject}`, colour: 'yellow' };
    case 'webhook.attempted': {
      const { eventType, url, attempt, answer, acknowledged } = activity;
      const tries = attempt > 1 ? `  attempt ${attempt}` : '';
      const text = `${eventType} to ${url}: ${answer}${tries}`;
      return { topic: 'webhook', text, ...(acknowledged ? {} : { colour: 'red' as const }) };
    }
  }
}
