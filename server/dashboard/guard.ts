import { authenticator, type Caller } from '../http/auth.ts';
import type { PlainRequest } from '../http/plain-route.ts';
import type { Services } from '../services.ts';

/** Admits a request with the dashboard's token or the secret key. @throws Refusal as the API does */
export type Guard = (request: PlainRequest) => Promise<Caller>;

export function createGuard(services: Services): Guard {
  const authenticate = authenticator(services);
  return ({ header }) => {
    const [authorization, account] = [header('authorization'), header('account')];
    return authenticate('dashboard', { authorization, account });
  };
}
