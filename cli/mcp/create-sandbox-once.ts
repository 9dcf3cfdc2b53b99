import { requestOf } from '../../protocol/api-client.ts';
import type { CreatedSandbox, SandboxInput } from '../../server/sandboxes/sandbox.schema.ts';
import { replyOf, type ServerApi } from '../client/api-client.ts';

type NamedInput = SandboxInput & { name: string };

/** Creates sandboxes, each request once. */
interface SandboxCreation {
  /**
   * Creates a sandbox; returns the same one again for the same request while it exists.
   * @throws Fault `server_answer` when the server refuses
   */
  create(input: NamedInput): Promise<CreatedSandbox>;
  /** Makes the next request for this name create another sandbox. */
  forget(name: string): void;
}

/** Creates sandboxes with idempotency keys, which are kept in memory. */
export function createSandboxOnce(host: () => ServerApi, unique: () => string): SandboxCreation {
  const keys = new Map<string, { name: string; key: string }>();

  const forget: SandboxCreation['forget'] = (name) => {
    for (const [request, known] of keys) if (known.name === name) keys.delete(request);
  };

  async function send(input: NamedInput): Promise<CreatedSandbox> {
    const { name } = input;
    const request = JSON.stringify(input);
    const { key: idempotencyKey } = keys.get(request) ?? { key: `mcp sandbox ${name} ${unique()}` };
    keys.set(request, { name, key: idempotencyKey });
    const answer = await host().answer('POST /sandboxes', { body: input, idempotencyKey });
    // The server repeats a refusal for its key. What failed otherwise may have been created.
    if (answer.status >= 400 && answer.status < 500) keys.delete(request);
    return replyOf(host(), requestOf('POST /sandboxes', {}), answer);
  }

  /** Whether a sandbox is still there, and not another of its name. */
  async function exists({ name, createdTimestamp }: CreatedSandbox): Promise<boolean> {
    const given = { params: { name } };
    const answer = await host().answer('GET /sandboxes/{name}', given);
    if (answer.status === 404) return false;
    const found = replyOf(host(), requestOf('GET /sandboxes/{name}', given), answer);
    return found.createdTimestamp === createdTimestamp;
  }

  return {
    forget,
    async create(given) {
      const input = inOneOrder(given);
      const isRepeat = keys.has(JSON.stringify(input));
      const created = await send(input);
      // The server repeats its reply also for a sandbox that was deleted.
      if (!isRepeat || (await exists(created))) return created;
      forget(input.name);
      return send(input);
    },
  };
}

/** Returns an object with its members in the order of their names: the server compares the texts of bodies. */
function inOneOrder<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1))) as T;
}
