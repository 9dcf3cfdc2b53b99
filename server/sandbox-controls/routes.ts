import type { Route } from '../platform/http/route.ts';
import { actRoutes } from './act.resource.ts';
import { attendedActionRoutes } from './attended-action.resource.ts';
import { authenticationRoutes } from './authentication.resource.ts';
import { clockRoutes } from './clock.resource.ts';
import { deliveryRoutes } from './delivery.resource.ts';
import { fleetRoutes } from './fleet.resource.ts';
import { disputeControlRoutes } from './dispute-control.resource.ts';
import { objectRoutes } from './objects/object.resource.ts';
import { payoutControlRoutes } from './payout-control.resource.ts';
import { requestRoutes } from './request.resource.ts';
import { resetRoutes } from './reset.resource.ts';
import { sandboxAccountRoutes } from './sandbox-account.resource.ts';
import { sandboxActionRoutes } from './sandbox-action.resource.ts';
import { sandboxTerminalRoutes } from './sandbox-terminal.resource.ts';
import { settlementFailureRoutes } from './settlement-failure.resource.ts';
import { sandboxVerificationRoutes } from './sandbox-verification.resource.ts';

/** Routes that act for the outside world (cardholders, banks, time). Served in the sandbox only. */
export const sandboxRoutes: readonly Route[] = [
  ...sandboxTerminalRoutes,
  ...actRoutes,
  ...attendedActionRoutes,
  ...fleetRoutes,
  ...sandboxActionRoutes,
  ...sandboxAccountRoutes,
  ...sandboxVerificationRoutes,
  ...payoutControlRoutes,
  ...authenticationRoutes,
  ...settlementFailureRoutes,
  ...disputeControlRoutes,
  ...clockRoutes,
  ...resetRoutes,
  ...deliveryRoutes,
  ...requestRoutes,
  ...objectRoutes,
];
