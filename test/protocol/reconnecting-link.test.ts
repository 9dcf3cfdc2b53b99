import { expect, test } from 'vitest';
import { seededRandom, type Random } from '../../protocol/ids.ts';
import type { Link } from '../../protocol/link.ts';
import { createLog, silentLog } from '../../protocol/log.ts';
import { createBackoff, ReconnectingLink, type ConnectionEvents } from '../../protocol/reconnecting-link.ts';
import { VirtualClock } from '../../world/virtual-clock.ts';

const LIMITS = { initialMs: 250, maxMs: 30_000 };
const highest: Random = { bytes: (count) => new Uint8Array(count).fill(255) };

test('createBackoff: the bound doubles with each attempt up to the maximum', () => {
  const backoff = createBackoff(highest, LIMITS);
  const bounds = Array.from({ length: 9 }, () => backoff.nextMs() + 1);
  expect(bounds).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('createBackoff: a refused attempt has a higher bound, for that attempt only', () => {
  const backoff = createBackoff(highest, { ...LIMITS, maxRefusedMs: 120_000 });
  const pauses = Array.from({ length: 11 }, () => backoff.nextMs(true));
  expect(pauses.slice(6)).toEqual([15_999, 31_999, 63_999, 119_999, 119_999]);
  expect(backoff.nextMs()).toBe(29_999);
  expect(createBackoff(highest, LIMITS).nextMs(true)).toBe(249);
});

test('createBackoff: reset starts a new series', () => {
  const backoff = createBackoff(highest, LIMITS);
  backoff.nextMs();
  backoff.nextMs();
  backoff.reset();
  expect(backoff.nextMs()).toBe(249);
});

test('createBackoff: delays are spread over the whole range', () => {
  const pauses = Array.from({ length: 1_000 }, (_, index) =>
    createBackoff(seededRandom(`terminal ${index}`), LIMITS).nextMs(),
  );
  for (const quarter of [0, 1, 2, 3]) {
    const inside = pauses.filter((ms) => Math.floor(ms / 62.5) === quarter);
    expect(inside.length).toBeGreaterThan(200);
    expect(inside.length).toBeLessThan(300);
  }
});

/** A link over connections that a test plays by hand. */
function world(): {
  link: Link;
  clock: VirtualClock;
  dialled: ConnectionEvents[];
  history: string[];
  logged: string[];
  refuseToDial: (on: boolean) => void;
} {
  const clock = new VirtualClock(1_000_000);
  const dialled: ConnectionEvents[] = [];
  const history: string[] = [];
  const logged: string[] = [];
  let refusing = false;
  const link = new ReconnectingLink(
    (events) => {
      if (refusing) throw new Error('no network');
      dialled.push(events);
      return {
        publish: async ({ topic }) => void history.push(`published ${topic}`),
        disconnect: async () => void history.push('goodbye'),
        destroy: () => void history.push('cut'),
      };
    },
    {
      online: () => void history.push('online'),
      offline: () => void history.push('offline'),
      message: (topic) => void history.push(`message ${topic}`),
      refused: (reason) => void history.push(`refused ${reason}`),
    },
    {
      clock,
      random: highest,
      log: createLog({ level: 'warn', destination: { write: (line) => void logged.push(line) } }),
      backoff: { initialMs: 250, maxMs: 30_000 },
      stableAfterMs: 5_000,
    },
  );
  return { link, clock, dialled, history, logged, refuseToDial: (on) => (refusing = on) };
}

const hello = { topic: 'a/b', payload: Buffer.from('hello'), qos: 1, retain: false } as const;

test('ReconnectingLink: reconnects after delays that double', async () => {
  const { link, clock, dialled } = world();
  link.open();
  for (const boundMs of [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    const before = dialled.length;
    dialled.at(-1)!.down('gone');
    await clock.advance(boundMs - 2);
    expect(dialled.length).toBe(before);
    await clock.advance(1);
    expect(dialled.length).toBe(before + 1);
  }
});

test('ReconnectingLink: a lasting connection resets the delay, a brief one does not', async () => {
  const { link, clock, dialled } = world();
  link.open();
  dialled.at(-1)!.down('gone');
  await clock.advance(250);
  dialled.at(-1)!.up();
  await clock.advance(100);
  dialled.at(-1)!.down('thrown out at once');
  expect(clock.due).toEqual([clock.nowMs() + 499]);
  await clock.advance(499);
  dialled.at(-1)!.up();
  await clock.advance(5_000);
  dialled.at(-1)!.down('gone');
  expect(clock.due).toEqual([clock.nowMs() + 249]);
});

test('ReconnectingLink: connections that soon end are no refusal, and the log names the likely cause once', async () => {
  const { link, clock, dialled, history, logged } = world();
  link.open();
  for (let ended = 0; ended < 6; ended += 1) {
    dialled.at(-1)!.up();
    dialled.at(-1)!.down('the broker closed the connection');
    await clock.advance(30_000);
  }
  expect(dialled).toHaveLength(7);
  expect(history.filter((each) => each.startsWith('refused'))).toEqual([]);
  expect(logged.filter((line) => line.includes('another program use the same client id'))).toHaveLength(1);
  dialled.at(-1)!.down('Not authorized', true);
  expect(history.at(-1)).toBe('refused Not authorized');
});

test('ReconnectingLink: retries a dial that throws', async () => {
  const { link, clock, dialled, refuseToDial } = world();
  refuseToDial(true);
  link.open();
  await clock.advance(700);
  expect(dialled).toEqual([]);
  refuseToDial(false);
  await clock.advance(1_000);
  expect(dialled.length).toBe(1);
});

test('ReconnectingLink: publish rejects while offline and queues nothing', async () => {
  const { link, clock, dialled, history } = world();
  await expect(link.publish(hello)).rejects.toMatchObject({ code: 'transport' });
  link.open();
  await expect(link.publish(hello)).rejects.toMatchObject({ code: 'transport' });
  dialled[0]!.up();
  await link.publish(hello);
  dialled[0]!.down('gone');
  await expect(link.publish(hello)).rejects.toMatchObject({ code: 'transport' });
  await clock.advance(250);
  dialled[1]!.up();
  expect(history).toEqual(['online', 'published a/b', 'offline', 'online']);
});

test('ReconnectingLink: close disconnects cleanly, drop abruptly, and both stop reconnecting until open', async () => {
  for (const leave of ['close', 'drop'] as const) {
    const { link, clock, dialled, history } = world();
    link.open();
    dialled[0]!.up();
    await link[leave]();
    expect(link.online).toBe(false);
    await clock.advance(60_000);
    expect(dialled.length).toBe(1);
    link.open();
    await clock.advance(0);
    dialled[1]!.up();
    expect(history).toEqual(['online', 'offline', leave === 'close' ? 'goodbye' : 'cut', 'online']);
  }
});

test('ReconnectingLink: close during a delay cancels the reconnect', async () => {
  for (const leave of ['close', 'drop'] as const) {
    const { link, clock, dialled } = world();
    link.open();
    dialled[0]!.down('gone');
    await link[leave]();
    expect(clock.due).toEqual([]);
  }
});

test('ReconnectingLink: ignores events of a closed connection', async () => {
  const { link, dialled, history } = world();
  link.open();
  dialled[0]!.up();
  link.drop();
  link.open();
  dialled[0]!.message('late', Buffer.from(''));
  dialled[0]!.down('late');
  dialled[1]!.up();
  dialled[1]!.message('fresh', Buffer.from(''));
  expect(history).toEqual(['online', 'offline', 'cut', 'online', 'message fresh']);
});

test('ReconnectingLink: survives a handler that throws', async () => {
  const clock = new VirtualClock(0);
  const dialled: ConnectionEvents[] = [];
  const fail = () => {
    throw new Error('a mistake in the handler');
  };
  const link = new ReconnectingLink(
    (events) => {
      dialled.push(events);
      return { publish: async () => {}, disconnect: async () => {}, destroy: () => {} };
    },
    { online: fail, offline: fail, message: fail },
    {
      clock,
      random: highest,
      log: silentLog,
      backoff: { initialMs: 250, maxMs: 30_000 },
      stableAfterMs: 5_000,
    },
  );
  link.open();
  dialled[0]!.up();
  dialled[0]!.message('a', Buffer.from(''));
  dialled[0]!.down('gone');
  await clock.advance(250);
  dialled[1]!.up();
  expect(link.online).toBe(true);
});
