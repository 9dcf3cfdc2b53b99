import { authenticator, type Caller } from '../platform/http/auth.ts';
import type { PlainRequest } from '../platform/http/pages/plain-route.ts';
import type { Services } from '../platform/services.ts';

/** Admits a request with the dashboard's token or the secret key. @throws Refusal as the API does */
export type Guard = (request: PlainRequest) => Promise<Caller>;

export function createGuard(services: Services): Guard {
  const authenticate = authenticator(services);
  return async ({ header }) => {
    const [authorization, account] = [header('authorization'), header('account')];
    return authenticate('dashboard', { authorization, account });
  };
}
