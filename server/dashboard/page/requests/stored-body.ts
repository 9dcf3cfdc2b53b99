import type { StoredRequest } from '../../view.ts';

/** Where a value of a body is hidden: names of members and places in lists. */
type ValuePath = readonly (string | number)[];

// Of a secret, and of a key on a keypad (server/platform/mask-secrets.ts).
const HIDDEN = /··|•/;

/** Returns whether a text has a part that the server has hidden. */
export function hasHidden(text: string): boolean {
  return HIDDEN.test(text);
}

/** Returns where a body has values that the server has hidden. */
export function hiddenPaths(body: unknown, at: ValuePath = []): ValuePath[] {
  if (typeof body === 'string') return hasHidden(body) ? [at] : [];
  if (typeof body !== 'object' || body === null) return [];
  const inside = Array.isArray(body) ? [...body.entries()] : Object.entries(body);
  return inside.flatMap(([name, value]) => hiddenPaths(value, [...at, name]));
}

/** Returns a path as text: `cardDetails.number`. */
export function pathText(path: ValuePath): string {
  return path.join('.') || 'body';
}

/** Returns a copy of a body with other values in these places. */
export function withValues(body: unknown, values: ReadonlyMap<string, string>, at: ValuePath = []): unknown {
  if (typeof body === 'string') return values.get(pathText(at)) ?? body;
  if (Array.isArray(body)) return body.map((item, index) => withValues(item, values, [...at, index]));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, withValues(value, values, [...at, name])]),
  );
}

/** A multipart form that was sent, without the content of its file. */
export interface UploadForm {
  /** Members that its text fields have in a body; empty when the form was not read. */
  members: Record<string, unknown>;
  /** Undefined for none. */
  file: UploadFile | undefined;
}

/** A file as its request is stored (server/platform/http/calls/log-requests.ts). */
export interface UploadFile {
  name: string;
  contentType: string;
  sizeInBytes: number;
}

/** Returns the form of a stored request; undefined when its body is no multipart form. */
export function uploadFormOf({
  headers,
  body,
}: Pick<StoredRequest, 'headers' | 'body'>): UploadForm | undefined {
  const type = String((headers as Record<string, unknown>)['content-type'] ?? '');
  if (!/^multipart\/form-data\b/i.test(type)) return undefined;
  const { file, ...members } = (body ?? {}) as { file?: UploadFile };
  return { members, file };
}

/** Returns the text fields of a form: the member `key` of `metadata` is the field `metadata[key]`. */
export function fieldsOf(members: Record<string, unknown>): [name: string, value: string][] {
  return Object.entries(members).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([key, inner]) => [`${name}[${key}]`, textOf(inner)])
      : [[name, textOf(value)]],
  );
}

/** Returns the form that the browser sends, with the content of its file. */
export function formDataOf(members: Record<string, unknown>, file: File | undefined): FormData {
  const data = new FormData();
  for (const [name, value] of fieldsOf(members)) data.append(name, value);
  if (file) data.append('file', file);
  return data;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
