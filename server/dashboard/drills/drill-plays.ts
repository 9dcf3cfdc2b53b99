import { after, type Clock } from '../../../protocol/clock.ts';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { DrillPlayer, DrillWatcher, PlayedDrill } from './drill-player.ts';
import {
  SHOPS,
  type DrillDetail,
  type DrillLine,
  type DrillList,
  type DrillOutcome,
  type DrillPlay,
  type ListedDrill,
  type ShopKind,
  type ShopRun,
} from './drill-view.ts';

interface DrillPlaysParts {
  /** Loads the player, once. */
  load(): Promise<DrillPlayer>;
  /** Real time. */
  clock: Clock;
  log: Log;
}

/** A drill that was played, for who it is sent to. */
interface SharedDrill {
  drill: ListedDrill;
  play: DrillPlay;
  /** Trace files by the shop. */
  traces: ReadonlyMap<string, Buffer>;
}

/** Plays drills one at a time, and keeps the latest result of each. */
export interface DrillPlays {
  list(): Promise<DrillList>;
  /** @throws Refusal `not_found` */
  find(name: string): Promise<DrillDetail>;
  /** Begins to play a drill with both shops. @throws Refusal `not_found`, `drill_unavailable`, `drill_is_playing` */
  start(name: string): Promise<DrillDetail>;
  /** @throws Refusal `not_found` for a drill whose play has not ended */
  shared(name: string): Promise<SharedDrill>;
  /** Ends what is being played, which fails. */
  stop(): void;
}

/** The longest one takes half a minute on a slow machine. */
const LIMIT_MS = 180_000;
// Far more than any drill has.
const LINES_MAX = 2_000;

interface Kept extends DrillPlay {
  isPlaying: boolean;
  runs: Record<ShopKind, ShopRun & { lines: DrillLine[] }>;
  traces: Map<ShopKind, Buffer>;
}

export function createDrillPlays({ load, clock, log }: DrillPlaysParts): DrillPlays {
  const kept = new Map<string, Kept>();
  let player: Promise<DrillPlayer> | undefined;
  let playing: { name: string; ending: AbortController } | undefined;

  async function drillOf(name: string): Promise<{ drill: ListedDrill; player: DrillPlayer }> {
    const loaded = await (player ??= load());
    const drill = loaded.drills.find((each) => each.name === name);
    if (!drill) throw new Refusal('not_found', { what: 'drill' });
    return { drill, player: loaded };
  }

  async function play(name: string, one: Kept, loaded: DrillPlayer, ending: AbortController): Promise<void> {
    const limit = after(clock, LIMIT_MS, () =>
      ending.abort(new Fault('timed_out', `the drill did not end within ${LIMIT_MS / 1000} s`)),
    );
    await Promise.all(SHOPS.map((shop) => playShop({ name, shop, one, loaded, ending: ending.signal })));
    limit.cancel();
    one.isPlaying = false;
    playing = undefined;
  }

  async function playShop(parts: PlayParts): Promise<void> {
    const { name, shop, one } = parts;
    const run = one.runs[shop];
    try {
      const { trace, ...played } = await beforeEnd(playedBy(parts, clock), parts.ending);
      Object.assign(run, { money: played.money, orders: played.orders, outcome: outcomeOf(played) });
      one.traces.set(shop, trace);
      run.hasTrace = true;
    } catch (thrown) {
      log.warn({ drill: name, shop, reason: messageOf(thrown) }, 'a drill could not be played');
      run.outcome = { kind: 'failed', reason: messageOf(thrown), apart: 0 };
    }
  }

  return {
    async list() {
      const { drills } = await (player ??= load());
      return {
        playing: playing?.name ?? null,
        drills: drills.map((drill) => ({ ...drill, outcomes: outcomesOf(kept.get(drill.name)) })),
      };
    },
    async find(name) {
      const { drill } = await drillOf(name);
      return { drill, play: shown(kept.get(name)) };
    },
    async start(name) {
      const { drill, player: loaded } = await drillOf(name);
      if (drill.unavailable !== null) throw new Refusal('drill_unavailable', { problem: drill.unavailable });
      if (playing) throw new Refusal('drill_is_playing', { drill: playing.name });
      const ending = new AbortController();
      playing = { name, ending };
      const one = newPlay(clock.nowMs(), loaded.currency);
      kept.set(name, one);
      void play(name, one, loaded, ending);
      return { drill, play: shown(one) };
    },
    async shared(name) {
      const { drill } = await drillOf(name);
      const one = kept.get(name);
      if (!one || one.isPlaying) throw new Refusal('not_found', { what: 'result of the drill' });
      return { drill, play: shown(one)!, traces: one.traces };
    },
    stop() {
      playing?.ending.abort(new Error('the server was stopped'));
    },
  };
}

interface PlayParts {
  name: string;
  shop: ShopKind;
  one: Kept;
  loaded: DrillPlayer;
  ending: AbortSignal;
}

function playedBy({ name, shop, one, loaded, ending }: PlayParts, clock: Clock): Promise<PlayedDrill> {
  const run = one.runs[shop];
  // One that was ended may go on for a moment.
  const isOpen = () => run.outcome === null;
  const watcher: DrillWatcher = {
    onOccurrence(occurrence) {
      if (!isOpen() || run.lines.length >= LINES_MAX) return;
      run.lines.push({ ...occurrence, atMs: clock.nowMs() - one.startedMs });
    },
    onMoney: (money) => void (isOpen() && (run.money = money)),
    onBooks: (orders) => void (isOpen() && (run.orders = orders)),
  };
  return loaded.play(name, shop, watcher, ending);
}

/** Resolves as `work` does. Rejects once the signal is aborted, whether or not `work` ends. */
function beforeEnd<T>(work: Promise<T>, ending: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    ending.addEventListener('abort', () => reject(ending.reason), { once: true });
    work.then(resolve, reject);
  });
}

function newPlay(startedMs: number, currency: string): Kept {
  const run = () => ({
    lines: [],
    money: { taken: 0, refunded: 0, disputed: 0 },
    orders: [],
    outcome: null,
    hasTrace: false,
  });
  return { startedMs, isPlaying: true, currency, runs: { wrong: run(), right: run() }, traces: new Map() };
}

function outcomeOf({ verdict, inconclusive, apart }: Omit<PlayedDrill, 'trace'>): DrillOutcome {
  if (verdict !== null) return { kind: 'lost', reason: verdict, apart };
  if (inconclusive !== null) return { kind: 'notShown', reason: inconclusive, apart: 0 };
  return { kind: 'kept', reason: null, apart: 0 };
}

function outcomesOf(one: Kept | undefined): DrillList['drills'][number]['outcomes'] {
  return one ? { wrong: one.runs.wrong.outcome, right: one.runs.right.outcome } : null;
}

function shown(one: Kept | undefined): DrillPlay | null {
  if (!one) return null;
  const { traces: _traces, ...play } = one;
  return play;
}
