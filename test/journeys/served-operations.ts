import type { Api } from '../../testing/world/api.ts';
import { card, encoded } from '../kit/checkout.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

export interface Operation {
  method: 'get' | 'post' | 'patch' | 'delete';
  path: string;
  takesAccount: boolean;
  takesPublicKey: boolean;
}

/** Every operation under /v1, from the server's own document, so that none is forgotten here. */
export async function servedOperations(api: Api): Promise<Operation[]> {
  const { body } = await api.get('/openapi.json');
  const paths = Object.entries<Record<string, Json>>(body.paths).filter(([path]) => path.startsWith('/v1/'));
  return paths.flatMap(([path, item]) =>
    Object.entries(item).map(([method, { parameters = [], security }]) => ({
      method: method as Operation['method'],
      path,
      takesAccount: parameters.some(({ name }: { name: string }) => name === 'Account'),
      takesPublicKey: security.length > 1,
    })),
  );
}

const BODIES: Record<string, Json> = {
  payment: { amounts: { requested: 1000 }, currency: 'GBP' },
  'confirm-receipt': { merchantCopy: { status: 'Succeeded' } },
  'attempt-payment': { clientSecret: 'ps_1_secret_2', cardDetails: card() },
  'continue-payment': {
    clientSecret: 'ps_1_secret_2',
    threeDs: { type: 'Identify', continuationToken: 'none', notificationMessage: encoded({}) },
  },
};

/** Calls an operation, with a body that is good as far as existence goes. */
export function call(api: Api, { method }: Operation, path: string) {
  return method === 'get' || method === 'delete'
    ? api[method](path)
    : api[method](path, BODIES[path.split('/').at(-1)!] ?? {});
}
