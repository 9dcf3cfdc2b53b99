import { triggerEvent } from '../../../cli/trigger/trigger-event.ts';
import { EVENT_TYPE_NAMES } from '../../../server/api/webhooks/event-types.ts';
import type { Route } from '../../../server/platform/http/route.ts';
import type { Api } from '../../../testing/world/api.ts';
import type { Receiver } from '../../../testing/world/receivers.ts';
import type { World } from '../../../testing/world/world.ts';
import { stepRunnerOf } from '../../kit/step-runner.ts';
import { declaredOf } from '../reply-values.ts';
import { everyAccount, everyPayout } from './accounts.ts';
import { everyCleared } from './cleared.ts';
import { everyCounter } from './in-person.ts';
import { everyDelivery, everyList } from './lists.ts';
import { NEVER } from './never.ts';
import { everyCustomer, everyDispute, everySession } from './payments.ts';

/** Has answers show all that they may; what one of each does not show already. */
export async function showEverything(
  world: World,
  api: Api,
  routes: readonly Route[],
  shop: Receiver,
): Promise<void> {
  await everySession(world, api);
  await everyCustomer(world, api);
  await everyAccount(world, api);
  await everyPayout(world, api);
  await everyDispute(world, api);
  await everyCounter(world, api);
  await everyCleared(world, api);
  await everyList(world, api, routes);
  await everyEvent(world, shop);
  await everyDelivery(world, api);
}

/** Causes each event that a shop has not received yet, as `tapbench trigger` does. */
async function everyEvent(world: World, shop: Receiver): Promise<void> {
  const received = new Set(shop.types());
  for (const eventType of EVENT_TYPE_NAMES.filter((type) => !received.has(type)))
    await triggerEvent(stepRunnerOf(world), { eventType, changes: [] }, `every-${eventType}`);
  await world.settled();
}

/** What is declared, was not shown and is not said to be never; and what is said to be never, and was shown. */
export function missingOf(routes: readonly Route[], shown: ReadonlySet<string>): string[] {
  const declared = new Set(routes.flatMap(({ reply, operation }) => [...declaredOf(reply, operation)]));
  const never = [...declared].filter((each) => !shown.has(each));
  return [
    ...never.filter((each) => !NEVER.some(([what]) => what.test(each))),
    ...[...shown].filter((each) => NEVER.some(([what]) => what.test(each))),
  ];
}
