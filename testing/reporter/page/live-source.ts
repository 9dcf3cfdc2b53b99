import { batch, signal, type Signal } from '@preact/signals';
import { after } from '../../../protocol/clock.ts';
import { pageClock } from '../../../server/dashboard/page/time.ts';
import type {
  ReportFile,
  ReportMachine,
  ReportTest,
  LivePageMessage,
  WorldTimeline,
} from '../report-data.ts';
import type { RunFacts, Source } from './source.ts';

// Messages that arrive within this time are drawn together.
const BATCH_MS = 30;

/** Opens the source of a live run: the messages of the reporter's server. */
export function openLiveSource(): Source {
  const run = signal<RunFacts>({ outcome: 'running', durationMs: null, leftOut: null, report: null });
  const machines = signal<readonly ReportMachine[]>([]);
  const files = signal<readonly ReportFile[]>([]);
  const newest = signal<string | null>(null);
  const timelines = new Map<string, Signal<readonly WorldTimeline[]>>();
  const worlds = new Map<string, { key: string; testId: string; attempt: number }>();

  const timelinesOf = (testId: string) => {
    const known = timelines.get(testId) ?? signal<readonly WorldTimeline[]>([]);
    timelines.set(testId, known);
    return known;
  };

  function addEntry({ world, entry }: Extract<LivePageMessage, { type: 'entry' }>): void {
    const where = worlds.get(world)!;
    const known = timelinesOf(where.testId);
    const { testId, attempt } = where;
    const at = known.peek().findIndex((one) => keys.get(one) === where.key);
    const before = known.peek()[at] ?? { testId, attempt, entries: [], dropped: 0 };
    const timeline: WorldTimeline = { ...before, entries: [...before.entries, entry] };
    keys.set(timeline, where.key);
    known.value = at < 0 ? [...known.peek(), timeline] : known.peek().with(at, timeline);
    if (!entry.step) return;
    newest.value = testId;
    countStep(testId);
  }
  const keys = new WeakMap<WorldTimeline, string>();

  function countStep(testId: string): void {
    change(testId, (test) => ({ ...test, steps: test.steps + 1 }));
  }

  function change(testId: string, to: (test: ReportTest) => ReportTest): void {
    files.value = files.peek().map((file) => {
      if (!file.tests.some(({ id }) => id === testId)) return file;
      return { ...file, tests: file.tests.map((test) => (test.id === testId ? to(test) : test)) };
    });
  }

  function putTest({ file, test }: Extract<LivePageMessage, { type: 'test' }>): void {
    const index = files
      .peek()
      .findIndex(({ path, project }) => path === file.path && project === file.project);
    const known = files.peek()[index];
    if (!known)
      return void (files.value = [...files.peek(), { ...file, errors: [], tests: [test], packet: null }]);
    if (known.tests.some(({ id }) => id === test.id)) {
      return change(test.id, ({ steps }) => ({ ...test, steps }));
    }
    files.value = files.peek().with(index, { ...known, tests: [...known.tests, test] });
  }

  function apply(message: LivePageMessage): void {
    switch (message.type) {
      case 'machine':
        return void (machines.value = [...machines.peek(), message.machine]);
      case 'test':
        return putTest(message);
      case 'world': {
        const { world, testId, attempt } = message;
        return void worlds.set(world, { key: `${world} ${testId} ${attempt}`, testId, attempt });
      }
      case 'entry':
        return addEntry(message);
      case 'end':
        run.value = { ...run.peek(), outcome: message.outcome, report: message.report };
    }
  }

  listen((messages) => batch(() => messages.forEach(apply)));
  return { live: true, run, machines, files, newest, timelinesOf: (_file, testId) => timelinesOf(testId) };
}

/** Subscribes to all messages of the run, until its end. */
function listen(onMessages: (messages: readonly LivePageMessage[]) => void): void {
  const feed = new EventSource('feed');
  let waiting: LivePageMessage[] = [];
  feed.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as LivePageMessage;
    if (message.type === 'end') feed.close();
    waiting.push(message);
    if (waiting.length > 1) return;
    after(pageClock, BATCH_MS, () => {
      const messages = waiting;
      waiting = [];
      onMessages(messages);
    });
  });
  // A reconnect would send all messages again.
  feed.addEventListener('error', () => feed.close());
}
