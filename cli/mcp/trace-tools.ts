import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { requestOf } from '../../protocol/api-client.ts';
import { Fault } from '../../protocol/failures.ts';
import { Type } from '../../protocol/schema.ts';
import { readTrace } from '../../server/traces/trace-file.ts';
import { RecordingInput } from '../../server/traces/recording.schema.ts';
import { readFileOf } from '../command-line/command.ts';
import { traceLines } from '../log/trace-lines.ts';
import { sandboxInput, tool } from './tool.ts';

const PAGE_ITEMS = 100;

const fileInput = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'Path of the trace file, such as session.tapbench',
});

const startRecording = tool({
  name: 'start_recording',
  title: 'Start a recording',
  description:
    'Begins to record everything of a sandbox: requests, messages, steps of state machines, events and webhooks, without secrets. save_recording ends it.',
  inputs: { title: RecordingInput.properties.title, sandbox: sandboxInput },
  effect: 'each time',
  run: ({ api }, { title, sandbox }) => api(sandbox).call('POST /sandbox/recordings', { body: { title } }),
});

const saveRecording = tool({
  name: 'save_recording',
  title: 'Save a recording',
  description:
    'Ends a recording and writes its trace file, which read_trace reads, tapbench trace --open shows, and tapbench replay repeats.',
  inputs: {
    id: Type.String({ minLength: 1, maxLength: 100, description: 'Id of the recording' }),
    file: Type.String({
      minLength: 1,
      maxLength: 1000,
      description:
        'Path of the trace file below the folder in which tapbench mcp was started, such as session.tapbench',
    }),
    overwrite: Type.Optional(Type.Boolean({ description: 'Whether to replace a file that exists' })),
    sandbox: sandboxInput,
  },
  effect: 'once',
  async run({ download }, { id, file, overwrite = false, sandbox }) {
    refuseFile(file, overwrite);
    const { path } = requestOf('GET /sandbox/recordings/{id}/file', { params: { id } });
    await download(sandbox, path, file);
    return { file };
  },
});

/**
 * @throws Fault `bad_setting` for a file outside the folder that the server was started in, also through a link, and for one
 *   that exists unless it may be replaced
 */
function refuseFile(file: string, overwrite: boolean): void {
  const folder = realpathSync('.');
  const path = resolve(folder, file);
  const parent = existsSync(dirname(path)) ? realpathSync(dirname(path)) : dirname(path);
  const isBelow = [path, join(parent, basename(path))].every((each) => each.startsWith(folder + sep));
  if (!isBelow)
    throw new Fault('bad_setting', `${file} is not below ${folder}, where tapbench mcp was started`);
  // A download is written beside it first.
  const exists = [path, `${path}.part`].some((each) => lstatSync(each, { throwIfNoEntry: false }));
  if (!overwrite && exists)
    throw new Fault('bad_setting', `${file} exists: choose another name, or set overwrite to true`);
}

const readTraceFile = tool({
  name: 'read_trace',
  title: 'Read a trace file',
  description:
    'Reads a trace file, of save_recording or of a failed test, without a server: one line for each request, message, step, event and webhook, oldest first. For more give next as from.',
  inputs: {
    file: fileInput,
    kind: Type.Optional(
      Type.Enum(['call', 'reply', 'act', 'terminal', 'answer', 'output'], {
        description:
          'call and reply are requests to the server, answer is the reply of a webhook endpoint, act is what people do at a terminal, output is what the server and the terminals did',
      }),
    ),
    text: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the line' })),
    from: Type.Optional(Type.Integer({ minimum: 0, description: 'How many of the lines to skip' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: '100 by default' })),
    whole: Type.Optional(Type.Boolean({ description: 'Whether each line has the recorded item with it' })),
  },
  effect: 'read',
  async run(_context, { file, kind, text = '', from = 0, limit = PAGE_ITEMS, whole = false }) {
    const { header, items, summary } = await readTrace(readFileOf(file));
    const found = traceLines(items)
      .map((line, number) => ({ number, ...line }))
      .filter((line) => (kind === undefined || line.kind === kind) && line.text.includes(text));
    const end = from + limit;
    return {
      title: header.title,
      sandbox: header.sandbox,
      isCut: summary.isCut,
      items: found.slice(from, end).map(({ atMs, item, ...line }) => ({
        ...line,
        at: new Date(atMs).toISOString(),
        ...(whole && { item }),
      })),
      ...(end < found.length && { next: end }),
    };
  },
});

export const TRACE_TOOLS = [startRecording, saveRecording, readTraceFile];
