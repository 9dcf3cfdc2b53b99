import type { CreatedSandbox } from '../../server/sandboxes/sandbox.schema.ts';
import { requestOf } from '../../protocol/api-client.ts';
import { secretKeyOf } from '../client/api-client.ts';
import { command, optional, required } from '../command-line/command.ts';
import { downloadFile, uploadFile } from '../client/file-transfer.ts';
import { printJson, printLine } from '../command-line/output.ts';
import { connectHost, COPY_OPTIONS, HOST_OPTIONS, hostClient, newSandbox, printCreated } from './sandbox.ts';

const FILE = 'file of the snapshot, such as ci-1234.snapshot';

export const sandboxSave = command({
  name: 'sandbox save',
  details:
    'The file holds the secrets of the webhooks: keep it as private as the data folder. The server keeps no copy.',
  parameters: { name: required('the sandbox to save, such as default'), file: required(FILE) },
  options: HOST_OPTIONS,
  examples: [{ line: 'tapbench sandbox save ci-1234 ci-1234.snapshot', description: 'saves it in a file' }],
  async run({ context, args, options }) {
    const api = connectHost(context, options);
    const { name } = args;
    const snapshot = await api.call('POST /sandboxes/{name}/snapshots', { params: { name } });
    const params = { name, id: snapshot.id };
    const { path: kept } = requestOf('GET /sandboxes/{name}/snapshots/{id}', { params });
    const server = { ...options, secretKey: secretKeyOf(hostClient(options)) };
    try {
      await downloadFile(context, server, kept, args.file);
    } finally {
      await api.call('DELETE /sandboxes/{name}/snapshots/{id}', { params });
    }
    if (options.json) printJson(context.out, { ...snapshot, file: args.file });
    else printLine(context.out, `${args.name} saved in ${args.file}, ${snapshot.bytes} bytes`);
  },
});

export const sandboxRestore = command({
  name: 'sandbox restore',
  details:
    'The new sandbox goes on where the saved one stood, and has keys of its own, which are shown only here.',
  parameters: { file: required(FILE), name: optional('name of the new sandbox; a free name unless given') },
  options: COPY_OPTIONS,
  examples: [
    {
      line: 'tapbench sandbox restore ci-1234.snapshot again',
      description: 'creates a sandbox from the file',
    },
  ],
  async run({ context, args, options }) {
    // A query has no null: 0 is never.
    const query = new URLSearchParams();
    // A query has no null: 0 is never.
    for (const [key, value] of Object.entries(newSandbox(args.name, options)))
      query.set(key, String(value ?? 0));
    const server = { ...options, secretKey: secretKeyOf(hostClient(options)) };
    const path = `/sandboxes/restore?${query}`;
    const created = await uploadFile<CreatedSandbox>(context, server, path, args.file);
    printCreated(context, options, created);
  },
});
