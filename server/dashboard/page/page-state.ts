import { batch, signal, type ReadonlySignal } from '@preact/signals';
import type { ClockView, FleetTerminal, LiveMessage, WebhookAttempt } from '../view.ts';
import { createRegistry, type Registry } from './fleet/registry.ts';
import { createWatched, type Watched } from './timeline/watched.ts';
import { announcementOf } from './wording.ts';

// A page that is left open for days keeps what a person can still scroll through.
const ATTEMPTS_KEPT = 1_000;

/** The state of the page, from the server's messages, as signals. */
export interface PageState {
  readonly fleet: Registry;
  readonly watched: Watched;
  /** Attempts since the page was opened. */
  readonly attempts: ReadonlySignal<readonly WebhookAttempt[]>;
  readonly mode: ReadonlySignal<'sandbox' | 'live'>;
  /** Whether the server has sent the full state. */
  readonly loaded: ReadonlySignal<boolean>;
  /** What a screen reader says. */
  readonly announcement: ReadonlySignal<string>;
  apply(messages: readonly LiveMessage[]): void;
}

export function createPageState(onClock: (clock: ClockView) => void): PageState {
  const fleet = createRegistry();
  const watched = createWatched();
  const attempts = signal<readonly WebhookAttempt[]>([]);
  const mode = signal<'sandbox' | 'live'>('sandbox');
  const loaded = signal(false);
  const announcement = signal('');

  const keep = (terminal: FleetTerminal) => {
    const before = fleet.keep(terminal);
    const { kind, id } = watched.subject.peek() ?? {};
    if (kind !== 'terminal' || id !== terminal.id) return;
    announcement.value = changedAnnouncement(before, terminal) ?? announcement.peek();
  };
  const hello = (message: Extract<LiveMessage, { type: 'hello' }>) => {
    fleet.retain(new Set(message.terminals.map(({ id }) => id)));
    message.terminals.forEach(keep);
    mode.value = message.mode;
    onClock(message.clock);
    loaded.value = true;
  };
  const reset = () => {
    fleet.retain(new Set());
    watched.forget();
    attempts.value = [];
  };
  const applyOne = (message: LiveMessage): void => {
    switch (message.type) {
      case 'hello':
        return hello(message);
      case 'clock':
        return onClock(message.clock);
      case 'terminal':
        return keep(message.terminal);
      case 'terminal.gone':
        return fleet.remove(message.terminalId);
      case 'timeline':
        return watched.begin(message);
      case 'entry':
        return watched.add(message.entry);
      case 'webhook':
        attempts.value = [...attempts.peek(), message.attempt].slice(-ATTEMPTS_KEPT);
        return;
      case 'reset':
        return reset();
    }
  };
  const apply = (messages: readonly LiveMessage[]) =>
    batch(() => {
      messages.forEach(applyOne);
      fleet.settle();
    });
  return { fleet, watched, attempts, mode, loaded, announcement, apply };
}

function changedAnnouncement(
  before: FleetTerminal | undefined,
  { name, action }: FleetTerminal,
): string | undefined {
  const text = action ? announcementOf(name, action) : undefined;
  const earlier = before?.action ? announcementOf(before.name, before.action) : undefined;
  return text === earlier ? undefined : text;
}
