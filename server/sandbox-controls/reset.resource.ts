import { route, type Route } from '../platform/http/route.ts';
import { Reset } from './reset.schema.ts';
import { resetSandbox } from './reset.ts';

const resetRoute = route({
  operation: 'POST /sandbox/reset',
  surface: 'sandbox',
  tag: 'Sandbox clock',
  section: 'Sandbox',
  summary:
    'Delete all data but the API keys, the first two accounts, the clock and the catalogue. `tapbench up` creates its location, its terminal and the content of its seed file again.',
  reply: Reset,
  worksOutside: true,
  handle: ({ services }) => resetSandbox(services),
});

export const resetRoutes: readonly Route[] = [resetRoute];
