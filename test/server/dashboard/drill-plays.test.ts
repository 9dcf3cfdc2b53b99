import { DEFAULT_SANDBOX } from '../../../protocol/topics.ts';
import { drillsOf } from '../../../server/dashboard/drills/drill-routes.ts';
import { expect, test } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import type { DrillPlayer, PlayedDrill } from '../../../server/dashboard/drills/drill-player.ts';
import { createDrillPlays, type DrillPlays } from '../../../server/dashboard/drills/drill-plays.ts';
import type { ListedDrill, ShopKind } from '../../../server/dashboard/drills/drill-view.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';

const drill = (name: string, unavailable: string | null = null): ListedDrill => ({
  name,
  title: `The ${name}`,
  group: 'online',
  story: 'It fails.',
  wrong: 'pays twice',
  right: 'looks first',
  page: 'docs/lost-replies.md',
  faults: [],
  unavailable,
});

const RESULT: PlayedDrill = {
  verdict: null,
  inconclusive: null,
  apart: 0,
  money: { taken: 1742, refunded: 0, disputed: 0 },
  orders: [{ orderId: 'order-1', paid: true, amount: 1742 }],
  trace: Buffer.from('a trace'),
};
const LOST = { ...RESULT, verdict: 'order-1 was charged 2 times', apart: 1742 };

/** Plays that end when the test ends them, by shop. */
function openPlays(overrides: Partial<DrillPlayer> = {}) {
  const clock = new VirtualClock(0);
  const playing: {
    shop: ShopKind;
    watcher: Parameters<DrillPlayer['play']>[2];
    ending: AbortSignal;
    end(result: PlayedDrill): void;
    fail(problem: Error): void;
  }[] = [];
  const player: DrillPlayer = {
    currency: 'GBP',
    drills: [drill('lost-reply'), drill('late-webhook'), drill('paper-out', 'it needs a terminal')],
    play: (_name, shop, watcher, ending) =>
      new Promise((end, fail) => playing.push({ shop, watcher, ending, end, fail })),
    ...overrides,
  };
  const plays = createDrillPlays({ load: async () => player, clock, log: silentLog });
  const of = (shop: ShopKind) => playing.findLast((each) => each.shop === shop)!;
  return { clock, plays, of, playing };
}

const outcomesOf = async (plays: DrillPlays, name: string) => {
  const { runs } = (await plays.find(name)).play!;
  return { wrong: runs.wrong.outcome, right: runs.right.outcome };
};

test('drill plays: both shops are played at once, and what happens is there before they end', async () => {
  const { clock, plays, of, playing } = openPlays();
  expect(await plays.find('lost-reply')).toMatchObject({ drill: { name: 'lost-reply' }, play: null });
  await plays.start('lost-reply');
  expect(playing.map(({ shop }) => shop)).toEqual(['wrong', 'right']);
  await clock.advance(1_500);
  of('wrong').watcher.onOccurrence({ kind: 'step', who: 'shop', text: 'sells' });
  of('wrong').watcher.onMoney({ taken: 5, refunded: 0, disputed: 0 });
  of('wrong').watcher.onBooks([{ orderId: 'order-1', paid: false, amount: 5 }]);
  const { play } = await plays.find('lost-reply');
  expect(play).toMatchObject({ startedMs: 0, isPlaying: true, currency: 'GBP' });
  expect(play!.runs.wrong).toMatchObject({
    lines: [{ kind: 'step', who: 'shop', text: 'sells', atMs: 1_500 }],
    money: { taken: 5 },
    orders: [{ orderId: 'order-1', amount: 5 }],
    outcome: null,
  });
  expect(play!.runs.right.lines).toEqual([]);
});

test('drill plays: keep the latest result of each drill, with its traces', async () => {
  const { clock, plays, of } = openPlays();
  await plays.start('lost-reply');
  of('wrong').end(LOST);
  of('right').end(RESULT);
  await clock.advance(0);
  const shared = await plays.shared('lost-reply');
  expect(shared.play).toMatchObject({
    isPlaying: false,
    runs: {
      wrong: {
        outcome: { kind: 'lost', reason: 'order-1 was charged 2 times', apart: 1742 },
        hasTrace: true,
      },
      right: { outcome: { kind: 'kept', reason: null }, money: { taken: 1742 } },
    },
  });
  expect([...shared.traces.keys()]).toEqual(['wrong', 'right']);
  expect(JSON.stringify(await plays.find('lost-reply'))).not.toContain('traces');
  expect((await plays.list()).drills.map(({ name, outcomes }) => [name, outcomes?.wrong?.kind])).toEqual([
    ['lost-reply', 'lost'],
    ['late-webhook', undefined],
    ['paper-out', undefined],
  ]);
  await plays.start('lost-reply');
  expect(await outcomesOf(plays, 'lost-reply')).toEqual({ wrong: null, right: null });
});

test(
  'drill plays: one is played at a time, and the next once both shops have ended',
  { tags: ['refusal:drill_is_playing'] },
  async () => {
    const { clock, plays, of } = openPlays();
    await plays.start('lost-reply');
    of('wrong').end(LOST);
    await clock.advance(0);
    expect((await plays.list()).playing).toBe('lost-reply');
    await expect(plays.start('late-webhook')).rejects.toMatchObject({
      refusal: 'drill_is_playing',
      message: 'the drill lost-reply is being played: wait until it has ended',
    });
    of('right').end(RESULT);
    await clock.advance(0);
    expect((await plays.list()).playing).toBeNull();
    await plays.start('late-webhook');
  },
);

test('drill plays: a fault that never struck is not shown, whatever the shop did', async () => {
  const { clock, plays, of } = openPlays();
  await plays.start('lost-reply');
  of('wrong').end({ ...RESULT, inconclusive: 'a fault of the drill never struck' });
  of('right').end({ ...RESULT, inconclusive: 'nothing was sold' });
  await clock.advance(0);
  expect(await outcomesOf(plays, 'lost-reply')).toEqual({
    wrong: { kind: 'notShown', reason: 'a fault of the drill never struck', apart: 0 },
    right: { kind: 'notShown', reason: 'nothing was sold', apart: 0 },
  });
});

test('drill plays: a shop that cannot be played fails with the reason, beside one that can', async () => {
  const { clock, plays, of } = openPlays();
  await plays.start('lost-reply');
  of('wrong').fail(new Error('the sandbox could not be created'));
  of('right').end(RESULT);
  await clock.advance(0);
  expect(await outcomesOf(plays, 'lost-reply')).toMatchObject({
    wrong: { kind: 'failed', reason: 'the sandbox could not be created' },
    right: { kind: 'kept' },
  });
  expect([...(await plays.shared('lost-reply')).traces.keys()]).toEqual(['right']);
});

test('drill plays: one that hangs fails after three minutes, and what it still does is ignored', async () => {
  const { clock, plays, of } = openPlays();
  await plays.start('lost-reply');
  await clock.advance(179_000);
  expect(await outcomesOf(plays, 'lost-reply')).toEqual({ wrong: null, right: null });
  await clock.advance(1_000);
  const failed = { kind: 'failed', reason: 'the drill did not end within 180 s', apart: 0 };
  expect(await outcomesOf(plays, 'lost-reply')).toEqual({ wrong: failed, right: failed });
  expect(of('wrong').ending.aborted).toBe(true);
  of('wrong').watcher.onOccurrence({ kind: 'event', eventType: 'PaymentSession.captured' });
  of('wrong').end(RESULT);
  await clock.advance(0);
  const { runs } = (await plays.find('lost-reply')).play!;
  expect(runs.wrong).toMatchObject({ lines: [], outcome: failed, hasTrace: false });
  await plays.start('late-webhook');
});

test('drill plays: the end of the server ends what is played', async () => {
  const { clock, plays, of } = openPlays();
  await plays.start('lost-reply');
  plays.stop();
  await clock.advance(0);
  expect(of('right').ending.aborted).toBe(true);
  expect(await outcomesOf(plays, 'lost-reply')).toMatchObject({
    right: { reason: 'the server was stopped' },
  });
});

test(
  'drill plays: refuse what is no drill, what cannot be played here, and the page of what has not ended',
  { tags: ['refusal:drill_unavailable'] },
  async () => {
    const { plays, playing } = openPlays();
    await expect(plays.start('rm -rf')).rejects.toMatchObject({ refusal: 'not_found' });
    await expect(plays.find('toString')).rejects.toMatchObject({ refusal: 'not_found' });
    await expect(plays.start('paper-out')).rejects.toMatchObject({
      refusal: 'drill_unavailable',
      message: 'the drill cannot be played here: it needs a terminal',
    });
    await expect(plays.shared('lost-reply')).rejects.toMatchObject({ refusal: 'not_found' });
    expect(playing).toEqual([]);
    await plays.start('lost-reply');
    await expect(plays.shared('lost-reply')).rejects.toMatchObject({
      message: 'no such result of the drill',
    });
  },
);

test('drill plays: a server without a player of drills refuses', { tags: ['refusal:no_drills'] }, () => {
  const parts = { services: { settings: { sandbox: DEFAULT_SANDBOX } }, drills: undefined };
  expect(() => drillsOf(parts)).toThrow(expect.objectContaining({ refusal: 'no_drills' }));
});
