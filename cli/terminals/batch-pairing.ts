import type { PairingRequest, SandboxApi } from '../../simulator/pairing.ts';

// As many as the server pairs in one request.
const TERMINALS_MAX = 100;

type Reply = Awaited<ReturnType<SandboxApi['request']>>;

interface WaitingPairing {
  terminalId: string;
  path: string;
  resolve(reply: Reply | Promise<Reply>): void;
}

/**
 * Returns an API client that pairs terminals together: the pairings that begin in one turn of the event loop are one
 * request. A request costs the server and the simulator more than the pairings in it. When the server refuses the
 * request, each terminal is paired by itself, so that each gets its own answer.
 * @param options of each pairing
 */
export function withBatchPairing(api: SandboxApi, options: PairingRequest): SandboxApi {
  let waiting: WaitingPairing[] = [];

  const pairTogether = async (batch: WaitingPairing[]): Promise<void> => {
    const terminalIds = batch.map(({ terminalId }) => terminalId);
    const items = batch.length === 1 ? undefined : await pairAll(api, { terminalIds, ...options });
    for (const [index, { path, resolve }] of batch.entries())
      resolve(items ? { status: 200, body: items[index] } : api.request('POST', path, options));
  };
  const flush = () => {
    const begun = waiting;
    waiting = [];
    for (let from = 0; from < begun.length; from += TERMINALS_MAX)
      void pairTogether(begun.slice(from, from + TERMINALS_MAX));
  };

  return {
    request(method, path, body) {
      const terminalId = /^\/pairing\/terminals\/([^/]+)$/.exec(path)?.[1];
      if (terminalId === undefined) return api.request(method, path, body);
      return new Promise((resolve) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ terminalId: decodeURIComponent(terminalId), path, resolve });
      });
    },
  };
}

/** Returns the credentials in the order of the ids; undefined when the server refuses or cannot be reached. */
async function pairAll(
  api: SandboxApi,
  request: { terminalIds: string[] } & PairingRequest,
): Promise<unknown[] | undefined> {
  try {
    const { status, body } = await api.request('POST', '/pairing/terminals', request);
    return status === 200 ? (body as { items: unknown[] }).items : undefined;
  } catch {
    return undefined;
  }
}
