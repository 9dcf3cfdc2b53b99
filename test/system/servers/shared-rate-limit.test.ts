import { afterAll, expect, test } from 'vitest';
import { RATE_PER_SECOND } from '../../../server/platform/rate-limit.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { realTime, waitFor } from '../kit/wait-for.ts';
import { startTwoServers } from './two-servers.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

/** What one server lets through at once. */
const BURST = 2 * RATE_PER_SECOND.sandbox;
/** More pass than one server's limit allows, and fewer than that of two would. */
const PASSED = 4 * BURST;

test('two servers: a key gets the rate of one server at both together', async () => {
  const { first, second } = await startTwoServers(fixture, { RATE_LIMIT: 'on' });
  const sinceMs = realTime.nowMs();
  let passed = 0;
  let sent = 0;
  await waitFor('enough requests to pass', async () => {
    const { api } = (sent += 1) % 2 === 0 ? first : second;
    const { status } = await api('GET', '/v1/customers');
    expect([200, 429]).toContain(status);
    if (status === 200) passed += 1;
    return passed === PASSED;
  });
  // A burst at each, and then the rate of one: as long as that takes at least.
  const leastMs = ((PASSED - 2 * BURST - RATE_PER_SECOND.sandbox) / RATE_PER_SECOND.sandbox) * 1000;
  expect(realTime.nowMs() - sinceMs).toBeGreaterThanOrEqual(leastMs);
}, 60_000);
