import { encodeForm, type Answer, type Api } from '../../testing/world/api.ts';

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
