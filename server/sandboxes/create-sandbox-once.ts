import type { RequestDigests } from '../platform/http/idempotency/keyed-request.ts';
import { createWorkOnce, isKeyKept } from '../platform/http/idempotency/work-once.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { readFirstObjects } from './first-objects.ts';
import type { AddedSandbox, NewSandboxParts } from './new-sandbox.ts';

/**
 * Returns a function that creates the sandbox of a request, or returns the one that an earlier attempt at the request
 * has created.
 */
export function createSandboxOnce({ registry, realClock }: Pick<NewSandboxParts, 'registry' | 'realClock'>) {
  const workOnce = createWorkOnce();

  /** @throws Refusal `idempotency_key_reused` when its key created a sandbox of another request */
  async function find({ keyDigest, requestDigest }: RequestDigests): Promise<AddedSandbox | undefined> {
    await registry.refresh();
    const nowMs = realClock.nowMs();
    const record = registry
      .records()
      .find(({ request, createdMs }) => request?.keyDigest === keyDigest && isKeyKept(createdMs, nowMs));
    if (!record) return undefined;
    if (record.request?.requestDigest !== requestDigest) throw new Refusal('idempotency_key_reused');
    const { services } = await registry.open(record.name);
    return { record, objects: await readFirstObjects(services.store) };
  }

  return (request: RequestDigests | undefined, run: () => Promise<AddedSandbox>): Promise<AddedSandbox> =>
    request ? workOnce(request, { find: () => find(request), run }) : run();
}
