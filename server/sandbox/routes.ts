import type { Route } from '../http/route.ts';
import type { Services } from '../services.ts';
import { actRoutes } from './act.resource.ts';
import { clockRoutes } from './clock.resource.ts';
import { deliverRoutes } from './deliver.resource.ts';
import { fleetRoutes } from './fleet.resource.ts';
import { sandboxAccountRoutes } from './sandbox-account.resource.ts';
import { sandboxActionRoutes } from './sandbox-action.resource.ts';
import { sandboxTerminalRoutes } from './sandbox-terminal.resource.ts';

/** What the real world would do by itself, as calls: served in the sandbox alone, apart from the API. */
export function sandboxRoutes(services: Services): Route[] {
  return [
    ...sandboxTerminalRoutes(services),
    ...actRoutes(services),
    ...fleetRoutes(services),
    ...sandboxActionRoutes(services),
    ...sandboxAccountRoutes(services),
    ...clockRoutes(services),
    ...deliverRoutes(services),
  ];
}
