import { join } from 'node:path';
import { connectApi, secretKeyOf, type ClientOptions, type ServerApi } from '../client/api-client.ts';
import { downloadFile } from '../client/file-transfer.ts';
import { uninterrupted, type CommandContext } from '../command-line/command-context.ts';

interface RecordedCase {
  api: ServerApi;
  /** Of the case. */
  id: string;
  options: ClientOptions & {
    /** Folder of the traces. */
    out: string;
  };
}

/** Returns the title of what a case makes in its sandbox. */
export const titleOf = (id: string): string => `certify ${id}`;

/**
 * Records the sandbox while a case runs. Returns a client that works also once the command was interrupted, and what ends the
 * recording: it resolves with the name of the trace file.
 */
export async function recordCase(
  context: CommandContext,
  { api, id, options }: RecordedCase,
): Promise<{ cleanUp: ServerApi; recordingId: string; save(): Promise<string> }> {
  const lasting = uninterrupted(context);
  const cleanUp = connectApi(lasting, options);
  const recording = await api.call('POST /sandbox/recordings', { body: { title: titleOf(id) } });
  return {
    cleanUp,
    recordingId: recording.id,
    async save() {
      const file = `${id}.tapbench`;
      const server = { ...options, secretKey: secretKeyOf(options) };
      const path = `/sandbox/recordings/${recording.id}/file`;
      await downloadFile(lasting, server, path, join(options.out, file));
      await cleanUp.call('DELETE /sandbox/recordings/{id}', { params: { id: recording.id } });
      return file;
    },
  };
}

/**
 * Removes the faults and recordings of a run that was killed: they would strike in this one.
 * @param kind of the certificate, such as `endpoint`
 */
export async function removeLeftovers(api: ServerApi, kind: string): Promise<void> {
  const isLeft = ({ title }: { title: string }) => title.startsWith(titleOf(`${kind}.`));
  const { items: plans } = await api.call('GET /sandbox/faults');
  for (const { id } of plans.filter(isLeft))
    await api.call('DELETE /sandbox/faults/{id}', { params: { id } });
  const { items: recordings } = await api.call('GET /sandbox/recordings');
  for (const { id } of recordings.filter(isLeft))
    await api.call('DELETE /sandbox/recordings/{id}', { params: { id } });
}
