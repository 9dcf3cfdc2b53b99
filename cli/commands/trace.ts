import { readFileSync } from 'node:fs';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { readTrace } from '../../server/traces/trace-file.ts';
import type { TraceItem } from '../../server/traces/trace-format.schema.ts';
import { command, required } from '../command.ts';
import { formatTime } from '../notice-printer.ts';
import { json, printJsonLine } from '../output.ts';
import { sanitizeText } from '../sanitize-text.ts';

export const trace = command({
  name: 'trace',
  details: 'Needs no server. Times are those of the recorded sandbox.',
  parameters: { file: required('file of the trace, such as session.tapbench') },
  options: { json: { ...json, description: 'Print each item as a line of JSON' } },
  examples: [{ line: 'tapbench trace session.tapbench', description: 'prints one line for each item' }],
  async run({ context: { out, err }, args, options }) {
    const { header, items, summary } = await readTrace(bytesOf(args.file));
    if (options.json) return items.forEach((item) => printJsonLine(out, item));
    const { title, sandbox, clockMs, writtenBy } = header;
    const of = title === '' ? '' : `${sanitizeText(title)}: `;
    out.write(
      `${of}sandbox ${sanitizeText(sandbox)}, from ${new Date(clockMs).toISOString()}, Tapbench ${writtenBy}\n`,
    );
    const calls = new Map<number, string>();
    for (const item of items) {
      if (item.kind === 'call') calls.set(item.seq, `${item.method} ${item.url}`);
      out.write(`${formatTime(item.atMs)}  ${item.kind.padEnd(8)}  ${sanitizeText(describe(item, calls))}\n`);
    }
    if (summary.isCut) err.write('the recording ended here because it was as large as it may be\n');
  },
});

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (thrown) {
    throw new Fault('bad_setting', `${file}: ${messageOf(thrown)}`, { cause: thrown });
  }
}

/** @param calls each call by its number */
function describe(item: TraceItem, calls: ReadonlyMap<number, string>): string {
  switch (item.kind) {
    case 'call':
      return `${item.method} ${item.url}`;
    case 'reply':
      return `${item.status ?? 'no status'} to ${calls.get(item.call) ?? 'a request'}`;
    case 'act': {
      const { act, ...members } = item.act;
      return `${act} ${Object.values(members).flat().join(' ')} at ${item.terminalId}`;
    }
    case 'terminal':
      return `${item.terminalId} is simulated`;
    case 'output':
      return `${item.entry.kind}  ${item.entry.title}`;
  }
}
