import { createLog, type Log } from '../../protocol/log.ts';
import { formatTime } from './activity-printer.ts';
import { CLEAR_LINE, coloured, writeControl, type Colour, sanitizeText } from '../command-line/output.ts';
import { SETTINGS } from '../command-line/config.ts';
import type { Values } from '../command-line/option.ts';
import type { CommandContext } from '../command-line/command-context.ts';

/** Options of every command that writes a log. */
export const LOG_OPTIONS = { logLevel: SETTINGS.logLevel, logFormat: SETTINGS.logFormat };
export type LogOptions = Values<typeof LOG_OPTIONS>;

/** Creates the log of a command: text on standard error, or JSON when LOG_FORMAT is `json`. */
export function commandLog(context: Pick<CommandContext, 'err'>, options: LogOptions): Log {
  const { logLevel: level, logFormat } = options;
  return logFormat === 'json' ? createLog({ level }) : textLog(context, level);
}

/**
 * Creates the log of a server: text where standard error is a terminal, JSON elsewhere, unless LOG_FORMAT is set.
 */
export function serverLog(context: Pick<CommandContext, 'err'>, options: LogOptions): Log {
  const { logFormat = context.err.isTerminal ? 'text' : 'json' } = options;
  return commandLog(context, { ...options, logFormat });
}

// https://getpino.io/#/docs/api?id=logger-level
const LEVELS: Record<number, { name: string; colour: Colour }> = {
  10: { name: 'trace', colour: 'dim' },
  20: { name: 'debug', colour: 'dim' },
  30: { name: 'info', colour: 'dim' },
  40: { name: 'warn', colour: 'yellow' },
  50: { name: 'error', colour: 'red' },
  60: { name: 'fatal', colour: 'red' },
};

// As wide as the topics that `tapbench up` prints, since log lines appear between them.
const LEVEL_COLUMNS = 8;
const NOT_SHOWN = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err']);

interface LogRecord extends Record<string, unknown> {
  level: number;
  time: number;
  msg?: string;
  err?: { message?: string; stack?: string };
}

function textLog({ err }: Pick<CommandContext, 'err'>, level: string): Log {
  const showsStacks = ['debug', 'trace'].includes(level);
  return createLog({
    level,
    destination: {
      write(line) {
        const record = JSON.parse(line) as LogRecord;
        const { name, colour } = LEVELS[record.level] ?? { name: String(record.level), colour: 'dim' };
        const time = coloured(err, 'dim', formatTime(record.time));
        // Clears a progress text that may be on this line.
        const text = `${time}  ${coloured(err, colour, name.padEnd(LEVEL_COLUMNS))}  ${textOf(record, showsStacks)}\n`;
        if (err.isTerminal) writeControl(err, CLEAR_LINE + text);
        else err.write(text);
      },
    },
  });
}

/**
 * Returns the message, then each field as `name=value`, then the error. All sanitized: clients choose some of the
 * values.
 */
function textOf(record: LogRecord, showsStacks: boolean): string {
  const { msg, err } = record;
  const members = Object.entries(record)
    .filter(([name]) => !NOT_SHOWN.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const fault = err && ((showsStacks ? err.stack : undefined) ?? err.message);
  const line = sanitizeText([msg, ...members].filter(Boolean).join('  '));
  const lines = fault?.split('\n').map(sanitizeText).join('\n');
  return [line, lines].filter(Boolean).join('  ');
}
