import type { StoredRequest } from '../../view.ts';

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
