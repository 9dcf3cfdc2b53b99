import { openProvider as open, type Provider } from '../../../cli/drills/provider.ts';
import type { HuntScene } from '../../../testing/hunt/hunt.ts';

/** How a till calls the payment provider of its world. */
export function openProvider({
  fetch,
  sleep,
  world,
}: Pick<HuntScene, 'fetch' | 'sleep' | 'world'>): Provider {
  const { url, secretKey } = world;
  return open({ url, secretKey, fetch, sleep, pauseMs: 1_000, readTimeoutMs: 10_000 });
}
