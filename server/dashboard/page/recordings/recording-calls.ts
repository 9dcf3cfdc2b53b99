import { signal, type ReadonlySignal } from '@preact/signals';
import { requestOf, type Item } from '../../../../protocol/api-client.ts';
import { type PageApi, type ApiResult, inOrder } from '../link/api.ts';

/** A recording as the server lists it. Times are those of the sandbox, in seconds. */
export type ListedRecording = Item<'GET /sandbox/recordings'>;

/** The recordings of the sandbox, and the calls that change them. */
export interface RecordingCalls {
  /** Undefined until they were read. */
  readonly items: ReadonlySignal<readonly ListedRecording[] | undefined>;
  /** The message of the call that failed last. */
  readonly problem: ReadonlySignal<string | undefined>;
  load(): Promise<void>;
  /** Starts one. Returns whether it was started. */
  start(title: string): Promise<boolean>;
  /** Returns the trace file of one, with its name. It ends the recording. */
  file(id: string): Promise<{ name: string; content: Blob } | undefined>;
  remove(id: string): Promise<void>;
}

export function createRecordingCalls(api: PageApi): RecordingCalls {
  const items = signal<readonly ListedRecording[] | undefined>(undefined);
  const problem = signal<string | undefined>(undefined);

  function done<T>(answer: ApiResult<T>): T | undefined {
    problem.value = answer.ok ? undefined : answer.problem;
    return answer.ok ? answer.body : undefined;
  }

  const show = inOrder((answer: ApiResult<{ items: ListedRecording[] }>) => {
    if (answer.ok) items.value = answer.body.items;
    else done(answer);
  });
  const load = () => show(api.answer('GET /sandbox/recordings'));

  return {
    items,
    problem,
    load,
    async start(title) {
      const started = done(
        await api.answer('POST /sandbox/recordings', { body: title === '' ? {} : { title } }),
      );
      await load();
      return started !== undefined;
    },
    async file(id) {
      const file = done(
        await api.download(requestOf('GET /sandbox/recordings/{id}/file', { params: { id } }).path),
      );
      await load();
      return file;
    },
    async remove(id) {
      if (done(await api.answer('DELETE /sandbox/recordings/{id}', { params: { id } }))) await load();
    },
  };
}
