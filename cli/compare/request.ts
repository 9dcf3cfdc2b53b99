import { isObject } from '../../protocol/outside-json.ts';
import type { PlainRequest } from './careful-client.ts';
import { reasonOfNeed } from './needs.ts';
import { NotRemembered, resolved, resolvedString, type Remembered } from './references.ts';
import type { CallStep, FormFile } from './scenario.ts';

/** The keys of one server. */
export interface Keys {
  secret: string;
  public: string | undefined;
}

type Asked = Pick<CallStep, 'path' | 'query' | 'headers' | 'key' | 'body' | 'raw' | 'form'>;

interface RequestParts {
  keys: Keys;
  remembered: Remembered;
  /** Whether what is made is marked in its `metadata`. */
  isMarked: boolean;
}

/** Begins the value of the mark. */
const MARK = 'tapbench compare ';
const MARK_NAME = 'madeBy';
/** Some objects have at most five entries, and some scenarios show what is refused. */
const OWN_ENTRIES_MAX = 3;

/** Returns a request of a scenario with all that it refers to. @throws NotRemembered */
export function plainRequest(
  operation: string,
  asked: Asked,
  { keys, remembered, isMarked }: RequestParts,
): PlainRequest {
  const [method = '', template = ''] = operation.split(' ');
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = resolved(asked.path?.[name], remembered);
    if (value === undefined) throw new NotRemembered(`the path has no ${name}`);
    return encodeURIComponent(String(value));
  });
  const pairs = Object.entries(asked.query ?? {}).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(resolved(each, remembered))]),
  );
  const query = new URLSearchParams(pairs).toString();
  const body = bodyOf(asked, remembered, isMarked && method === 'POST');
  const key = keyOf(asked.key, keys, remembered);
  const own = Object.entries(asked.headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    resolvedString(value, remembered),
  ]);
  return {
    method,
    path: query === '' ? path : `${path}?${query}`,
    headers: {
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      ...(key !== undefined && { authorization: key }),
      ...Object.fromEntries(own),
    },
    body,
    text: typeof body === 'string' ? body : JSON.stringify(asked.form ?? ''),
  };
}

function bodyOf({ body, raw, form }: Asked, remembered: Remembered, isMarked: boolean): PlainRequest['body'] {
  if (form !== undefined) return formOf(form, remembered);
  if (raw !== undefined) return resolvedString(raw, remembered);
  if (body === undefined) return undefined;
  const value = resolved(body, remembered);
  return JSON.stringify(isMarked ? marked(value, remembered) : value);
}

function formOf(form: Readonly<Record<string, string | FormFile>>, remembered: Remembered): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(form)) {
    if (typeof value === 'string') data.set(name, resolvedString(value, remembered));
    else data.set(name, new Blob([contentOf(value)], { type: value.type }), value.name);
  }
  return data;
}

function contentOf({ text, bytes = 0 }: FormFile): string {
  return text ?? 'x'.repeat(bytes);
}

function marked(body: unknown, { unique }: Remembered): unknown {
  if (!isObject(body)) return body;
  const metadata = body['metadata'] ?? {};
  const isWrong = !isObject(metadata) || Object.values(metadata).some((value) => typeof value !== 'string');
  if (isWrong || Object.keys(metadata).length > OWN_ENTRIES_MAX) return body;
  return { ...body, metadata: { ...metadata, [MARK_NAME]: `${MARK}${unique}` } };
}

function keyOf(key: string | undefined, keys: Keys, remembered: Remembered): string | undefined {
  if (key === undefined || key === 'secret') return keys.secret;
  if (key === 'none') return undefined;
  if (key === 'wrong') return `sk_sandbox_${remembered.unique}`;
  if (key !== 'public') return resolvedString(key, remembered);
  if (keys.public !== undefined) return keys.public;
  throw new NotRemembered(reasonOfNeed('publicKey'));
}
