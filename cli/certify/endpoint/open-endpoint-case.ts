import { pause, type ClientOptions, type ServerApi } from '../../client/api-client.ts';
import type { CommandContext } from '../../command-line/command-context.ts';
import { readShopBooks } from '../../drills/await-integration.ts';
import { recordCase, titleOf } from '../record-case.ts';
import type { OpenCase } from '../run-cases.ts';
import { seededAmount } from '../seeded-amount.ts';
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

/** Opens what a case runs on, and records the sandbox meanwhile. What it has made there is removed also when it is interrupted. */
export async function openEndpointCase(
  context: CommandContext,
  { api, webhook, id, options }: CaseParts,
): Promise<OpenCase<EndpointBench>> {
  const { cleanUp, recordingId, save } = await recordCase(context, { api, id, options });
  const { books } = options;
  // Of its own in each run, so that books which are kept have it once.
  const orderId = `${id}-${Buffer.from(context.random.bytes(4)).toString('hex')}`;
  const bench = createEndpointBench({
    api,
    cleanUp,
    title: titleOf(id),
    webhook,
    order: { orderId, amount: seededAmount(options.seed, id) },
    readBooks: books === undefined ? undefined : () => readShopBooks(context, books),
    quietMs: options.quiet * 1_000,
    sleep: (ms) => pause(context, ms),
  });
  return { bench, recordingId, close: save };
}
