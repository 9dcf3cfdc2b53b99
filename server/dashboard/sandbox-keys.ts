import { jsonResponse, plainRoute } from '../platform/http/pages/plain-route.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { Services } from '../platform/services.ts';
import type { Guard } from './guard.ts';
import type { SandboxKeys } from './view.ts';

const PATH = '/dashboard/keys';

/** The route that returns the keys of a sandbox, which the page and `/docs` fill in. Live keys are never returned. */
export const sandboxKeysRoute = plainRoute({
  method: 'GET',
  path: PATH,
  async handle(request, { services, guard }: { services: Pick<Services, 'settings'>; guard: Guard }) {
    await guard(request);
    const { mode, secretKey, publicKey } = services.settings;
    if (mode === 'live') throw new Refusal('unknown_path', { path: PATH });
    return jsonResponse({ secretKey, publicKey } satisfies SandboxKeys);
  },
});
