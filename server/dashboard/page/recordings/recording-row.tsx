import { formatDate, formatTime } from '../format.ts';
import { Icon } from '../parts/icons.tsx';
import type { ListedRecording, RecordingCalls } from './recording-calls.ts';

/** A recording, with the buttons that save and delete it. */
export function RecordingRow({ recording, calls }: { recording: ListedRecording; calls: RecordingCalls }) {
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

/** Saves a file as a download of the browser. */
function saveFile({ name, content }: { name: string; content: Blob }): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
