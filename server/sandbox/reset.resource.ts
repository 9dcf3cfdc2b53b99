import { Id, Type } from '../../protocol/schema.ts';
import { route, type Route } from '../http/route.ts';
import { planRetention } from '../retention/retention.ts';
import type { Services } from '../services.ts';
import { forgetEverything } from './reset.records.ts';

const Reset = Type.Object(
  {
    platformId: { ...Id('account'), description: 'The account that the keys belong to, as before' },
    subAccountId: { ...Id('account'), description: 'Its first sub account, as before' },
  },
  { title: 'SandboxReset' },
);

/** Begins the sandbox anew (docs/choices.md, Reset). */
export function resetRoutes(services: Services): Route[] {
  const { clock, notices, store } = services;
  return [
    route({
      operation: 'POST /sandbox/reset',
      surface: 'sandbox',
      tag: 'Sandbox clock',
      section: 'Sandbox',
      summary:
        'Forget everything but the keys, the first two accounts, the clock and the catalogue; `tapbench up` then makes its location and terminal again, and what its seed file says',
      reply: Reset,
      async handle() {
        const reset = await store.transaction(async (tx) => {
          const { accounts, terminalIds } = await forgetEverything(tx, clock.nowMs());
          // Its job is forgotten with all others.
          await planRetention(tx, services);
          tx.afterCommit(() => {
            notices.tell({ kind: 'sandbox.reset' });
            for (const terminalId of terminalIds) notices.tell({ kind: 'terminal.removed', terminalId });
          });
          return accounts;
        });
        await services.afterReset?.();
        return reset;
      },
    }),
  ];
}
