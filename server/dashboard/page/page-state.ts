import { batch, signal, type ReadonlySignal } from '@preact/signals';
import type { ClockView, FleetTerminal, LiveMessage, WebhookAttempt } from '../view.ts';
import { createRegistry, type Registry } from './fleet/registry.ts';
import { createWatchedTimeline, type WatchedTimeline } from './timeline/watched-timeline.ts';
import { announcementFor } from './format.ts';

// Bounds the memory of a page that stays open for days.
const ATTEMPTS_MAX = 1_000;

/** The state of the page, from the server's messages, as signals. */
export interface PageState {
  readonly fleet: Registry;
  readonly watched: WatchedTimeline;
  /** Attempts since the page was opened. */
  readonly attempts: ReadonlySignal<readonly WebhookAttempt[]>;
  readonly mode: ReadonlySignal<'sandbox' | 'live'>;
  /** Whether the server has sent the full state. */
  readonly loaded: ReadonlySignal<boolean>;
  /**
   * Number of messages of the server. It sends at least one after each answered call that is not a GET, each event and each
   * step of a machine, at most ten times a second.
   */
  readonly changes: ReadonlySignal<number>;
  /** Text of the live region, which screen readers announce. */
  readonly announcement: ReadonlySignal<string>;
  apply(messages: readonly LiveMessage[]): void;
}

export function createPageState(onClock: (clock: ClockView) => void): PageState {
  const fleet = createRegistry();
  const watched = createWatchedTimeline();
  const attempts = signal<readonly WebhookAttempt[]>([]);
  const mode = signal<'sandbox' | 'live'>('sandbox');
  const loaded = signal(false);
  const announcement = signal('');
  const changes = signal(0);

  const updateTerminal = (terminal: FleetTerminal) => {
    const before = fleet.set(terminal);
    const { kind, id } = watched.target.peek() ?? {};
    if (kind !== 'terminal' || id !== terminal.id) return;
    announcement.value = changedAnnouncement(before, terminal) ?? announcement.peek();
  };
  const hello = (message: Extract<LiveMessage, { type: 'hello' }>) => {
    fleet.retain(new Set(message.terminals.map(({ id }) => id)));
    message.terminals.forEach(updateTerminal);
    mode.value = message.mode;
    onClock(message.clock);
    loaded.value = true;
  };
  const reset = () => {
    fleet.retain(new Set());
    watched.clear();
    attempts.value = [];
  };
  const applyOne = (message: LiveMessage): void => {
    switch (message.type) {
      case 'hello':
        return hello(message);
      case 'clock':
        return onClock(message.clock);
      case 'terminal':
        return updateTerminal(message.terminal);
      case 'terminal.gone':
        return fleet.remove(message.terminalId);
      case 'timeline':
        return watched.setTimeline(message);
      case 'entry':
        return watched.addEntry(message.entry);
      case 'webhook':
        attempts.value = [...attempts.peek(), message.attempt].slice(-ATTEMPTS_MAX);
        return;
      case 'reset':
        return reset();
    }
  };
  const apply = (messages: readonly LiveMessage[]) =>
    batch(() => {
      messages.forEach(applyOne);
      fleet.refresh();
      changes.value += messages.length;
    });
  return { fleet, watched, attempts, mode, loaded, announcement, changes, apply };
}

function changedAnnouncement(
  before: FleetTerminal | undefined,
  { name, action }: FleetTerminal,
): string | undefined {
  const text = action ? announcementFor(name, action) : undefined;
  const earlier = before?.action ? announcementFor(before.name, before.action) : undefined;
  return text === earlier ? undefined : text;
}
