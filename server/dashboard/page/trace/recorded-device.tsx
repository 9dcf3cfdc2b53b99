import { useMemo } from 'preact/hooks';
import type { TimelineEntry } from '../../view.ts';
import { formatDate, formatTime } from '../format.ts';
import { PastPanel } from '../terminal/past-panel.tsx';
import { EntryDetail } from '../timeline/entry-detail.tsx';
import { terminalAt } from '../terminal/terminal-at.ts';
import type { RecordedTerminals } from './recorded-terminals.ts';

interface RecordedDeviceProps {
  recorded: RecordedTerminals;
  entries: readonly TimelineEntry[];
  /** The action or object that is shown. */
  subject: string | null;
  /** The entry that is shown. */
  entry: TimelineEntry;
}

/** The terminal of the action that is shown, as it was at that moment. */
export function RecordedDevice({ recorded, entries, subject, entry }: RecordedDeviceProps) {
  const action = subject === null ? undefined : recorded.actions.get(subject);
  const terminal = action && recorded.terminals.get(action.terminalId);
  const ofTerminal = useMemo(
    () =>
      entries.filter(
        ({ terminalId, actionId }) => terminalId === action?.terminalId || actionId === action?.id,
      ),
    [entries, action],
  );
  if (!action || !terminal) {
    return (
      <section class="terminal-panel" aria-label="Terminal">
        <p class="past-note">No terminal takes part in this</p>
        <EntryDetail entry={entry} id="entry-shown" />
      </section>
    );
  }
  return (
    <section class="terminal-panel" aria-label={`Terminal ${terminal.name}`}>
      <header class="past-head">
        <h2>{terminal.name}</h2>
        <span class="mono">{terminal.serialNumber}</span>
      </header>
      <PastPanel
        past={terminalAt(terminal, action, ofTerminal, entry.seq)}
        caption={`As it was at ${formatDate(entry.atMs)} ${formatTime(entry.atMs)} UTC`}
      />
    </section>
  );
}
