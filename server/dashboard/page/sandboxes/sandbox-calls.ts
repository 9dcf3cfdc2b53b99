import { signal, type ReadonlySignal } from '@preact/signals';
import { type PageApi, type ApiResult, inOrder } from '../link/api.ts';

/** A sandbox as the server lists it. Seconds of real time. */
export interface ListedSandbox {
  name: string;
  /** The sandbox that it is a fork of. */
  from: string | null;
  createdTimestamp: number;
  expiresTimestamp: number | null;
  idempotencyKeys: 'on' | 'off';
  strict: 'on' | 'off';
  pace: 'real' | 'instant';
}

/** Settings of a sandbox that the list can change. */
export type ChosenSettings = Partial<Pick<ListedSandbox, 'idempotencyKeys' | 'strict' | 'pace'>>;

/** A new sandbox, with the key that is returned only once. */
export interface NewSandbox extends ListedSandbox {
  secretKey: string;
}

/** The sandboxes of the server, and the calls that change them. */
export interface SandboxCalls {
  /** Undefined until they were read. */
  readonly items: ReadonlySignal<readonly ListedSandbox[] | undefined>;
  /** The message of the call that failed last. */
  readonly problem: ReadonlySignal<string | undefined>;
  /** Whether the server requires its host key for these calls. */
  readonly hostKeyWanted: ReadonlySignal<boolean>;
  load(): Promise<void>;
  /** Uses the host key from now on. It is kept in the memory of this page only. */
  enterHostKey(key: string): Promise<void>;
  create(input: { name?: string; from?: string }): Promise<NewSandbox | undefined>;
  /** Changes the settings of a sandbox, and reads the list again, also when the server refused. */
  update(name: string, settings: ChosenSettings): Promise<void>;
  remove(name: string): Promise<void>;
  /** Returns the path, with its token, at which this server shows the dashboard of a sandbox. */
  pathOf(name: string): Promise<string | undefined>;
}

const HOST_KEY_STATUS = 403;

export function createSandboxCalls(api: PageApi): SandboxCalls {
  const items = signal<readonly ListedSandbox[] | undefined>(undefined);
  const problem = signal<string | undefined>(undefined);
  const hostKeyWanted = signal(false);
  let key: string | undefined;

  function done<T>(answer: ApiResult<T>): T | undefined {
    problem.value = answer.ok ? undefined : answer.problem;
    return answer.ok ? answer.body : undefined;
  }

  const show = inOrder((answer: ApiResult<{ items: ListedSandbox[] }>) => {
    hostKeyWanted.value = !answer.ok && answer.status === HOST_KEY_STATUS;
    items.value = done(answer)?.items;
  });
  const load = () => show(api.answer('GET /sandboxes', { key }));

  return {
    items,
    problem,
    hostKeyWanted,
    load,
    enterHostKey(entered) {
      key = entered;
      return load();
    },
    async create(input) {
      const made = done(await api.answer('POST /sandboxes', { key, body: input }));
      if (made) await load();
      return made;
    },
    async update(name, settings) {
      const updated = await api.answer('PATCH /sandboxes/{name}', { params: { name }, key, body: settings });
      await load();
      done(updated);
    },
    async remove(name) {
      if (done(await api.answer('DELETE /sandboxes/{name}', { params: { name }, key }))) await load();
    },
    async pathOf(name) {
      const link = done(await api.answer('POST /sandboxes/{name}/dashboard-link', { params: { name }, key }));
      // The address that the server knows of itself may not be the one of this page.
      return link && (name === 'default' ? '/' : `/s/${name}/`) + new URL(link.dashboardUrl).hash;
    },
  };
}
