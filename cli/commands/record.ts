import { requestOf } from '../../protocol/api-client.ts';
import { connectApi, SANDBOX_OPTIONS, secretKeyOf, type ClientOptions } from '../client/api-client.ts';
import { command, EXIT, required } from '../command-line/command.ts';
import { uninterrupted, untilInterrupted, type CommandContext } from '../command-line/command-context.ts';
import { downloadFile } from '../client/file-transfer.ts';
import { formatTime } from '../log/activity-printer.ts';
import { stringOption } from '../command-line/option.ts';
import { printJson, printLine, printTable } from '../command-line/output.ts';
import { runCommand } from '../command-line/run-command.ts';

export const record = command({
  name: 'record',
  details:
    'Records until Ctrl-C, or until the command after -- ends, whose exit code it returns. Secrets and card numbers are not in the file.',
  parameters: { file: required('file of the trace, such as session.tapbench') },
  rest: 'command to run while the sandbox is recorded',
  options: {
    title: stringOption({ flag: '--title <text>', description: 'What the recording is of' }),
    ...SANDBOX_OPTIONS,
  },
  examples: [
    { line: 'tapbench record session.tapbench', description: 'records until Ctrl-C' },
    { line: 'tapbench record tests.tapbench -- npm test', description: 'records while the tests run' },
  ],
  async run({ context, args, rest, options }) {
    // Not interrupted, so that the file is written.
    const lasting = uninterrupted(context);
    const api = connectApi(lasting, options);
    const title = options.title ?? rest.join(' ');
    const { id } = await api.call('POST /sandbox/recordings', { body: { title } });
    let code: number = EXIT.ok;
    try {
      if (rest.length > 0) code = await runCommand(rest, context);
      else {
        context.err.write('recording; Ctrl-C to stop\n');
        await untilInterrupted(context);
      }
      await saveFile(lasting, options, { id, file: args.file });
    } finally {
      await api.call('DELETE /sandbox/recordings/{id}', { params: { id } });
    }
    if (options.json) printJson(context.out, { file: args.file, title });
    else printLine(context.out, `recorded in ${args.file}`);
    return code;
  },
});

export const recordings = command({
  name: 'recordings',
  parameters: {},
  options: SANDBOX_OPTIONS,
  examples: [
    { line: 'tapbench recordings', description: 'prints those that the server holds, oldest first' },
  ],
  async run({ context, options }) {
    const { items } = await connectApi(context, options).call('GET /sandbox/recordings');
    if (options.json) return printJson(context.out, items);
    if (items.length === 0) return context.err.write("no recordings; 'tapbench record FILE' makes one\n");
    const rows = items.map(({ id, status, startedTimestamp, items: count, title }) => [
      id,
      status,
      formatTime(startedTimestamp * 1000),
      String(count),
      title,
    ]);
    printTable(context.out, [['ID', 'STATUS', 'STARTED', 'ITEMS', 'TITLE'], ...rows]);
  },
});

const idParameter = required('Id of the recording');

export const recordingsSave = command({
  name: 'recordings save',
  details: 'Ends the recording, which the server keeps until it is deleted.',
  parameters: { id: idParameter, file: required('file of the trace, such as session.tapbench') },
  options: SANDBOX_OPTIONS,
  examples: [{ line: 'tapbench recordings save rec_1 session.tapbench', description: 'saves it in a file' }],
  async run({ context, args, options }) {
    await saveFile(context, options, args);
    if (options.json) printJson(context.out, args);
    else printLine(context.out, `${args.id} saved in ${args.file}`);
  },
});

export const recordingsDelete = command({
  name: 'recordings delete',
  parameters: { id: idParameter },
  options: SANDBOX_OPTIONS,
  examples: [{ line: 'tapbench recordings delete rec_1', description: 'deletes it' }],
  async run({ context, args, options }) {
    const deleted = await connectApi(context, options).call('DELETE /sandbox/recordings/{id}', {
      params: { id: args.id },
    });
    if (options.json) printJson(context.out, deleted);
    else printLine(context.out, `${args.id} deleted`);
  },
});

async function saveFile(
  context: CommandContext,
  options: ClientOptions,
  { id, file }: { id: string; file: string },
): Promise<void> {
  const server = { ...options, secretKey: secretKeyOf(options) };
  const { path } = requestOf('GET /sandbox/recordings/{id}/file', { params: { id } });
  await downloadFile(context, server, path, file);
}
