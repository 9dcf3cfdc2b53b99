import multipart from '@fastify/multipart';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { UPLOAD_BYTES_MAX } from './body-limits.ts';
import { sanitizeBody } from './json-body.ts';
import { Refusal } from '../refusals.ts';

export interface UploadedFile {
  /** File name on the client, without folder. */
  name: string;
  contentType: string;
  bytes: Buffer;
}

/** A form: its text fields as the members of a body, and the file in its part `file`. */
export interface Upload {
  body: unknown;
  file: UploadedFile | undefined;
}

/** Lets the routes of `scope` accept multipart forms. */
export async function acceptUploads(scope: FastifyInstance): Promise<void> {
  await scope.register(multipart, {
    limits: { fileSize: UPLOAD_BYTES_MAX, files: 1, fields: 50, fieldSize: 10_000, parts: 60 },
  });
}

/**
 * Reads the form in the body of a request. `metadata[key]` is the member `key` of `metadata`.
 * @throws Refusal `not_multipart`, `bad_multipart`, `body_too_large`, `body_too_deep`, and `invalid_field` for text that no store
 * could keep.
 */
export async function readUpload(request: FastifyRequest): Promise<Upload> {
  if (!request.isMultipart()) throw new Refusal('not_multipart');
  const tooLarge = new Refusal('body_too_large', { limit: '4 MiB' });
  if (Number(request.headers['content-length'] ?? 0) > UPLOAD_BYTES_MAX) throw tooLarge;

  const texts = new Map<string, unknown>();
  let file: UploadedFile | undefined;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') texts.set(part.fieldname, part.value);
      else {
        const bytes = await part.toBuffer();
        // A part without a file name is ignored, whatever its type.
        if (part.fieldname === 'file' && part.filename)
          file = { name: part.filename, contentType: part.mimetype, bytes };
      }
    }
  } catch (error) {
    const { code, message } = error as Partial<FastifyError>;
    throw code === 'FST_REQ_FILE_TOO_LARGE'
      ? tooLarge
      : new Refusal('bad_multipart', { problem: message ?? '' });
  }
  sanitizeBody({ file: file?.name });
  return { body: sanitizeBody(bodyOf(texts)), file };
}

function bodyOf(texts: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const metadata = new Map<string, unknown>();
  const members = new Map<string, unknown>();
  for (const [name, value] of texts) {
    const key = /^metadata\[([^]*)\]$/.exec(name)?.[1];
    if (key === undefined) members.set(name, value);
    else metadata.set(key, value);
  }
  if (metadata.size > 0) members.set('metadata', Object.fromEntries(metadata));
  return Object.fromEntries(members);
}
