import { ROUTES } from '../../../server/routes.ts';
import type { Api } from '../../../testing/world/api.ts';
import type { World } from '../../../testing/world/world.ts';
import { NULL_CLEARS } from '../../architecture/specification/null-clears.ts';
import { changedBy, valueFor } from '../nulls/changed-objects.ts';

/** Sets each property that a PATCH clears by null, so that a reply shows it. */
export async function everyCleared(world: World, api: Api): Promise<void> {
  for (const [operation, properties] of Object.entries(NULL_CLEARS)) {
    const route = ROUTES.find((each) => each.operation === operation)!;
    if (route.method !== 'PATCH') continue;
    for (const property of properties.filter((name) => !name.includes('.'))) {
      const { path, values } = await changedBy(route, world);
      await api.patch(path, { [property]: valueFor(route, property, values) });
    }
  }
}
