import { join } from 'node:path';
import {
  connectApi,
  pause,
  secretKeyOf,
  type ClientOptions,
  type ServerApi,
} from '../../client/api-client.ts';
import { downloadFile } from '../../client/file-transfer.ts';
import { uninterrupted, type CommandContext } from '../../command-line/command-context.ts';
import { readShopBooks } from '../../drills/await-integration.ts';
import { createEndpointBench, type EndpointBench } from './endpoint-bench.ts';

interface CaseParts {
  api: ServerApi;
  webhook: { id: string; eventTypes: string[] };
  /** Of the case. */
  id: string;
  options: ClientOptions & {
    /** File or URL of the books. */
    books: string | undefined;
    seed: string;
    /** Seconds. */
    quiet: number;
    /** Folder of the traces. */
    out: string;
  };
}

/** With which the titles of what a case makes in its sandbox begin. */
const TITLE = 'certify endpoint.';
const AMOUNT_MIN = 1_000;
const AMOUNTS = 800;

/** Opens what a case runs on, and records the sandbox meanwhile. What it has made there is removed also when it is interrupted. */
export async function openEndpointCase(
  context: CommandContext,
  { api, webhook, id, options }: CaseParts,
): Promise<{ bench: EndpointBench; close(): Promise<string> }> {
  const lasting = uninterrupted(context);
  const cleanUp = connectApi(lasting, options);
  const title = `certify ${id}`;
  const recording = await api.call('POST /sandbox/recordings', { body: { title } });
  const { books } = options;
  // Of its own in each run, so that books which are kept have it once.
  const orderId = `${id}-${Buffer.from(context.random.bytes(4)).toString('hex')}`;
  const text = `${options.seed} ${id}`;
  const amount = AMOUNT_MIN + ([...text].reduce((sum, one) => sum * 31 + one.charCodeAt(0), 0) % AMOUNTS);
  const bench = createEndpointBench({
    api,
    cleanUp,
    title,
    webhook,
    order: { orderId, amount },
    readBooks: books === undefined ? undefined : () => readShopBooks(context, books),
    quietMs: options.quiet * 1_000,
    sleep: (ms) => pause(context, ms),
  });
  return {
    bench,
    async close() {
      const file = `${id}.tapbench`;
      const server = { ...options, secretKey: secretKeyOf(options) };
      const path = `/sandbox/recordings/${recording.id}/file`;
      await downloadFile(lasting, server, path, join(options.out, file));
      await cleanUp.call('DELETE /sandbox/recordings/{id}', { params: { id: recording.id } });
      return file;
    },
  };
}

/** Removes the faults and recordings of a run that was killed: they would strike in this one. */
export async function removeLeftovers(api: ServerApi): Promise<void> {
  const { items: plans } = await api.call('GET /sandbox/faults');
  for (const { id, title } of plans)
    if (title.startsWith(TITLE)) await api.call('DELETE /sandbox/faults/{id}', { params: { id } });
  const { items: recordings } = await api.call('GET /sandbox/recordings');
  for (const { id, title } of recordings)
    if (title.startsWith(TITLE)) await api.call('DELETE /sandbox/recordings/{id}', { params: { id } });
}
