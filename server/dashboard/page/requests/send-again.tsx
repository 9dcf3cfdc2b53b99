import { useState } from 'preact/hooks';
import type { StoredRequest } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { problem } from '../link/api.ts';
import { Icon } from '../parts/icons.tsx';
import { useSandboxKeys } from '../home/api-keys.tsx';
import { navigateLater } from '../routing.ts';
import { pathWithQuery } from './code-samples.tsx';
import {
  hasHidden,
  hiddenPaths,
  pathText,
  withValues,
  formDataOf,
  uploadFormOf,
  type UploadForm,
} from './stored-body.ts';
import { chosenKey, keyChoiceOf, KeyFields, type KeyChoice } from './key-fields.tsx';
import type { RequestFilters } from '../list-filters.ts';
import { isObject } from '../../../../protocol/outside-json.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'];

interface SendAgainProps {
  request: StoredRequest;
  filters: RequestFilters;
}

/** Sends a request again, as it was or changed, and shows the new one. */
export function SendAgain({ request, filters }: SendAgainProps) {
  const [open, setOpen] = useState(false);
  if (open) return <SendForm request={request} filters={filters} onClose={() => setOpen(false)} />;
  return (
    <button class="send-again" onClick={() => setOpen(true)}>
      <Icon name="again" size={14} />
      Send again…
    </button>
  );
}

/** What is sent. The values are those of hidden members of the body, by their paths. */
interface Draft {
  method: string;
  path: string;
  body: string;
  /** Undefined for the key that the request came with. */
  choice: KeyChoice | undefined;
  /** A key that is typed in. */
  other: string;
  values: ReadonlyMap<string, string>;
  /** The file of a multipart form, whose text fields are the body. */
  file: File | undefined;
}

function SendForm({ request, filters, onClose }: SendAgainProps & { onClose: () => void }) {
  const { api } = useDashboard();
  const [busy, setBusy] = useState(false);
  const [draft, setDraft] = useState<Draft>(() => draftOf(request));
  const { method, path, body, other, values, file } = draft;
  const keys = useSandboxKeys();
  const choice = draft.choice ?? keyChoiceOf(request.keyLastFour, keys);
  const form = uploadFormOf(request);
  const change = (members: Partial<Draft>) => setDraft({ ...draft, ...members });
  const parsed = parse(body);
  const hidden = parsed ? hiddenPaths(parsed.value).map(pathText) : [];
  const isReady =
    keys !== undefined &&
    hidden.every((name) => values.get(name)) &&
    !hasHiddenQuery(path) &&
    (!form || (isObject(parsed?.value) && (file !== undefined || !form.file)));

  const send = async (event: Event) => {
    event.preventDefault();
    const navigate = navigateLater();
    setBusy(true);
    const account = (request.headers as Record<string, string>)['account'];
    const changed = parsed && withValues(parsed.value, values);
    const text = parsed ? JSON.stringify(changed) : body.trim() || undefined;
    const content = form ? formDataOf(changed as Record<string, unknown>, file) : text;
    const key = chosenKey(choice, keys, other);
    const sent = await api.send({ method, path, key, accountId: account, body: content });
    const query = { limit: 1, method, path: path.split('?')[0] };
    const latest = await api.answer('GET /sandbox/requests', { query });
    setBusy(false);
    problem.value = sent ? undefined : 'The server cannot be reached.';
    const id = latest.ok ? latest.body.items[0]?.id : undefined;
    if (sent && id !== undefined) navigate({ view: 'requests', id, filters });
  };
  return (
    <form class="detail-section request-form" aria-label="Send again" onSubmit={send}>
      <h2>Send again</h2>
      <LineFields draft={draft} change={change} isForm={form !== undefined} />
      {form && <FileField form={form} change={change} />}
      <HiddenFields names={hidden} values={values} change={change} />
      {/* Until the keys are there, the key of the request is not known to be one of them. */}
      {keys !== undefined && (
        <KeyFields {...{ choice, other, keys, change }} keyLastFour={request.keyLastFour} />
      )}
      {hasHiddenQuery(path) && <p class="quiet-line">Replace what is hidden (··) in the path.</p>}
      <div class="detail-buttons">
        <button class="primary" disabled={busy || !isReady}>
          Send
        </button>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </form>
  );
}

interface FieldsProps {
  draft: Draft;
  change: (members: Partial<Draft>) => void;
}

function LineFields({ draft: { method, path, body }, change, isForm }: FieldsProps & { isForm: boolean }) {
  return (
    <>
      <div class="request-line">
        <label class="field">
          Method
          <select value={method} onChange={(event) => change({ method: event.currentTarget.value })}>
            {METHODS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label class="field">
          Path
          <input
            class="mono"
            value={path}
            spellcheck={false}
            onInput={(event) => change({ path: event.currentTarget.value.trim() })}
          />
        </label>
      </div>
      {method !== 'GET' && (
        <label class="field">
          {isForm ? 'Fields of the form, as JSON' : 'Body'}
          <textarea
            class="mono"
            rows={Math.min(16, body.split('\n').length + 1)}
            spellcheck={false}
            value={body}
            onInput={(event) => change({ body: event.currentTarget.value })}
          />
        </label>
      )}
    </>
  );
}

/** Asks for the file of a form, of which only name, type and size are stored. */
function FileField({ form: { file }, change }: { form: UploadForm; change: FieldsProps['change'] }) {
  return (
    <label class="field">
      {file
        ? `File (it was ${file.name}, ${file.contentType}, ${file.sizeInBytes} bytes)`
        : 'File (optional)'}
      <input
        type="file"
        required={file !== undefined}
        onChange={({ currentTarget }) => change({ file: currentTarget.files?.[0] })}
      />
    </label>
  );
}

interface HiddenProps extends Pick<Draft, 'values'> {
  names: readonly string[];
  change: FieldsProps['change'];
}

function HiddenFields({ names, values, change }: HiddenProps) {
  return (
    <>
      {names.map((name) => (
        <label class="field" key={name}>
          {name} (hidden)
          <input
            class="mono"
            required
            autocomplete="off"
            value={values.get(name) ?? ''}
            onInput={(event) => change({ values: new Map(values).set(name, event.currentTarget.value) })}
          />
        </label>
      ))}
    </>
  );
}

function draftOf(request: StoredRequest): Draft {
  const { method } = request;
  const form = uploadFormOf(request);
  const body = form ? form.members : request.body;
  const text = typeof body === 'string' ? body : body === null ? '' : JSON.stringify(body, null, 2);
  return {
    method,
    path: pathWithQuery(request),
    body: text,
    choice: undefined,
    other: '',
    values: new Map(),
    file: undefined,
  };
}

/** The query of a path is percent-encoded, and its author may have changed it. */
function hasHiddenQuery(path: string): boolean {
  return [...new URLSearchParams(path.split('?')[1]).values()].some(hasHidden) || hasHidden(path);
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
