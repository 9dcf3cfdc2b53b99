import type { Answer, Api } from './api.ts';

/** Encodes a form. Returns its bytes and content type. */
export async function encodeForm(form: FormData): Promise<{ bytes: Buffer; contentType: string }> {
  const encoded = new Response(form);
  return {
    bytes: Buffer.from(await encoded.arrayBuffer()),
    contentType: encoded.headers.get('content-type')!,
  };
}

export interface FormFile {
  name?: string;
  type?: string;
  /** How many bytes it has. */
  size?: number;
}

/** Creates the form of a file upload. */
export function uploadForm(
  category: string | undefined,
  { name = 'passport.png', type = 'image/png', size = 20_000 }: FormFile = {},
  more: Record<string, string> = {},
): FormData {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(size).fill(7)], name, { type }));
  if (category !== undefined) form.set('category', category);
  for (const [field, value] of Object.entries(more)) form.set(field, value);
  return form;
}

/** Uploads a file for the account that `api` acts for. */
export async function upload(api: Api, category: string, file?: FormFile): Promise<Answer> {
  const { bytes, contentType } = await encodeForm(uploadForm(category, file));
  return api.raw('POST', '/v1/files', bytes, { 'content-type': contentType });
}
