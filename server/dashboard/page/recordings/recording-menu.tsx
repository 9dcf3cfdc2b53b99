import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useDashboard } from '../dashboard.ts';
import { Icon } from '../parts/icons.tsx';
import { saveFile } from '../parts/save-file.ts';
import { useDismiss } from '../parts/use-dismiss.ts';
import { useReload } from '../parts/use-reload.ts';
import { createRecordingCalls, type RecordingCalls, type ListedRecording } from './recording-calls.ts';
import { formatDate, formatTime } from '../format.ts';
import { pathInSandbox } from '../link/sandbox-path.ts';

// The number of items of a recording grows.
const RELOAD_MS = 2_000;

/** Records the sandbox as trace files: starts a recording, lists those that the server holds, and downloads them. */
export function RecordingMenu() {
  const { api, link } = useDashboard();
  const calls = useMemo(() => createRecordingCalls(api), [api]);
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useDismiss(place, open, () => setOpen(false));
  const online = link.value.kind === 'online';
  useEffect(() => {
    if (online) void calls.load();
  }, [online]);
  useReload(calls.load, { everyMs: RELOAD_MS, active: open && online });
  const isRecording = calls.items.value?.some(({ status }) => status === 'Recording') ?? false;
  const title = isRecording
    ? 'The sandbox is recorded. Show recordings'
    : 'Record the sandbox, and show recordings';
  return (
    <div class="recordings" ref={place}>
      <button
        class={`quiet recording-face${isRecording ? ' active' : ''}`}
        title={title}
        aria-expanded={open}
        aria-haspopup="dialog"
        onClick={() => setOpen(!open)}
      >
        <Icon name="record" />
        {isRecording ? 'Recording' : 'Record'}
      </button>
      {open && (
        <div class="popover recording-popover" role="dialog" aria-label="Recordings">
          <StartRecording calls={calls} />
          {calls.problem.value && (
            <p class="bad-words" role="alert">
              {calls.problem.value}
            </p>
          )}
          <p>
            <a href={pathInSandbox('/recordings', location.pathname)} target="_blank" rel="opener">
              Open a trace file
            </a>
          </p>
          <ul class="recording-list">
            {calls.items.value?.toReversed().map((recording) => (
              <RecordingRow key={recording.id} recording={recording} calls={calls} />
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function StartRecording({ calls }: { calls: RecordingCalls }) {
  const [title, setTitle] = useState('');
  return (
    <>
      <p>
        A recording has all requests, messages, steps, events and webhooks, without secrets and card numbers.
        Open it here, or download its trace file, which <code>tapbench trace</code> and{' '}
        <code>tapbench replay</code> read.
      </p>
      <form
        class="recording-start"
        onSubmit={(event) => {
          event.preventDefault();
          // What was typed since then is for the next one.
          const clear = () => setTitle((now) => (now === title ? '' : now));
          void calls.start(title.trim()).then((started) => started && clear());
        }}
      >
        <input
          aria-label="Title"
          placeholder="Title, optional"
          maxLength={200}
          value={title}
          onInput={({ currentTarget }) => setTitle(currentTarget.value)}
        />
        <button class="primary">Start recording</button>
      </form>
    </>
  );
}

/** A recording, with the buttons that save and delete it. */
function RecordingRow({ recording, calls }: { recording: ListedRecording; calls: RecordingCalls }) {
  const { id, title, status, startedTimestamp, items } = recording;
  const isRecording = status === 'Recording';
  const name = title === '' ? id : title;
  const startedMs = startedTimestamp * 1_000;
  const save = async () => {
    const file = await calls.file(id);
    if (file) saveFile(file);
  };
  return (
    <li>
      <p>
        <b>{name}</b>
        <small>
          {isRecording && (
            <>
              <i class="led bad" /> recording,{' '}
            </>
          )}
          {items} {items === 1 ? 'item' : 'items'}, from {formatDate(startedMs)} {formatTime(startedMs)} UTC
        </small>
      </p>
      <a
        class="button"
        href={`${pathInSandbox('/recordings', location.pathname)}#${id}`}
        target="_blank"
        // A key that was entered opens this window and those that it opens.
        rel="opener"
        aria-label={`Open ${name}`}
      >
        Open
      </a>
      <button aria-label={`${isRecording ? 'Stop and download' : 'Download'} ${name}`} onClick={save}>
        {isRecording ? 'Stop and download' : 'Download'}
      </button>
      <button
        class="quiet square"
        aria-label={`Delete ${name}`}
        title="Delete"
        onClick={() => calls.remove(id)}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}
