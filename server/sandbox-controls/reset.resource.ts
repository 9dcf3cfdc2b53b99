import { route, type Route } from '../platform/http/route.ts';
import { Reset } from './reset.schema.ts';
import { resetSandbox } from './reset.ts';

const resetRoute = route({
  operation: 'POST /sandbox/reset',
  surface: 'sandbox',
  tag: 'Sandbox clock',
  section: 'Sandbox',
  summary:
    'Forget everything but the keys, the first two accounts, the clock and the catalogue; `tapbench up` then makes its location and terminal again, and what its seed file says',
  reply: Reset,
  handle: ({ services }) => resetSandbox(services),
});

export const resetRoutes: readonly Route[] = [resetRoute];
