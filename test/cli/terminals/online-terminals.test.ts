import { test } from 'vitest';
import { trackOnlineTerminals } from '../../../cli/terminals/online-terminals.ts';
import { silentLog } from '../../../protocol/log.ts';
import { createActivities } from '../../../server/platform/activities.ts';
import { createObservers } from '../../../server/platform/observers.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';

test('terminals that come online: a wait that begins after all were given up ends at once', async () => {
  // Stands still, so that the wait does not end by its time.
  const clock = new VirtualClock(0);
  const tracker = trackOnlineTerminals({
    clock,
    activities: createActivities(createObservers({ log: silentLog, clock })),
    givenUp: AbortSignal.abort(),
  });
  await tracker.track()(['tml_1']);
});
