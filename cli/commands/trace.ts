import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SystemClock } from '../../protocol/clock.ts';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { PRIVATE_FILE } from '../../protocol/system/private-mode.ts';
import { readTrace } from '../../server/traces/trace-file.ts';
import type { Trace } from '../../server/traces/trace-format.schema.ts';
import { command, required, readFileOf } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import { formatTime } from '../log/activity-printer.ts';
import { booleanOption, enumOption, stringOption } from '../command-line/option.ts';
import { json, printJsonLine, printLine, sanitizeText } from '../command-line/output.ts';
import { traceLines } from '../log/trace-lines.ts';

/** Longest that the layout of one machine may take. */
const LAYOUT_LIMIT_MS = 30_000;

export const trace = command({
  name: 'trace',
  details:
    'Needs no server and no network. Times are those of the recorded sandbox. The viewer is one HTML file.',
  parameters: { file: required('file of the trace, such as session.tapbench') },
  options: {
    open: booleanOption('--open', 'Open the viewer in the default browser'),
    html: stringOption({ flag: '--html <file>', description: 'Write the viewer to this file' }),
    to: enumOption(['vitest'], {
      flag: '--to <kind>',
      description: 'Write a test beside the trace that repeats it and expects what was recorded',
    }),
    json: { ...json, description: 'Print each item as a line of JSON' },
  },
  examples: [
    { line: 'tapbench trace session.tapbench', description: 'prints one line for each item' },
    {
      line: 'tapbench trace session.tapbench --open',
      description: 'shows terminals, charts, messages and requests in the browser, at any moment',
    },
    {
      line: 'tapbench trace session.tapbench --to vitest',
      description: 'writes session.test.ts, a test of the session',
    },
  ],
  async run({ context, args, options }) {
    const { out, err } = context;
    const read = await readTrace(readFileOf(args.file));
    if (options.to !== undefined) return writeTestBeside(context, read, args.file);
    if (options.open || options.html !== undefined) return showPage(context, read, options);
    const { header, items, summary } = read;
    if (options.json) return items.forEach((item) => printJsonLine(out, item));
    const { title, sandbox, clockMs, writtenBy } = header;
    const of = title === '' ? '' : `${sanitizeText(title)}: `;
    out.write(
      `${of}sandbox ${sanitizeText(sandbox)}, from ${new Date(clockMs).toISOString()}, Tapbench ${sanitizeText(writtenBy)}\n`,
    );
    for (const { atMs, kind, text } of traceLines(items))
      printLine(out, `${formatTime(atMs)}  ${kind.padEnd(8)}  ${text}`);
    if (summary.found)
      for (const line of [`a hunt found: ${summary.found.verdict}`, ...summary.found.story])
        printLine(out, sanitizeText(line));
    if (summary.isCut) err.write('the recording ended here because it was as large as it may be\n');
  },
});

interface PageOptions {
  open: boolean;
  html: string | undefined;
}

/** Writes the viewer to a file, and opens it. */
async function showPage(
  { out, err, openBrowser }: CommandContext,
  read: Trace,
  { open, html }: PageOptions,
): Promise<void> {
  // A trace may come from anybody: its machines are laid out within a limit of real time.
  const limit = { clock: new SystemClock(), limitMs: LAYOUT_LIMIT_MS };
  const { createLayOut } = await import('../../server/dashboard/chart/layout.ts');
  const { renderTracePage } = await import('../../server/traces/trace-page.ts');
  const page = await renderTracePage(read, createLayOut(limit));
  const file = html ?? join(mkdtempSync(join(tmpdir(), 'tapbench-trace-')), 'trace.html');
  try {
    writeFileSync(file, page, { mode: PRIVATE_FILE });
  } catch (thrown) {
    throw new Fault('bad_setting', `${file}: ${messageOf(thrown)}`, { cause: thrown });
  }
  printLine(out, file);
  if (open && !(await openBrowser(pathToFileURL(file).href)))
    err.write('no browser could be opened: open the file yourself\n');
}

/** Writes `session.test.ts` beside `session.tapbench`, unless there is one, which may have been edited. */
async function writeTestBeside({ out }: CommandContext, read: Trace, traceFile: string): Promise<void> {
  const { writeTest } = await import('../../world/written-test/write-test.ts');
  const { dir, name, base } = parse(traceFile);
  const file = join(dir, `${name}.test.ts`);
  try {
    writeFileSync(file, writeTest(read, `./${base}`), { flag: 'wx' });
  } catch (thrown) {
    if (thrown instanceof Fault) throw thrown;
    throw new Fault('bad_setting', `${file}: ${messageOf(thrown)}`, { cause: thrown });
  }
  printLine(out, file);
}
