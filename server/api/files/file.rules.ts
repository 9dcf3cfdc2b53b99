import { Refusal } from '../../platform/http/refusals.ts';
import type { UploadedFile } from '../../platform/http/bodies/multipart.ts';
import type { FileCategory, FileType } from './file.schema.ts';

// docs/choices.md, Files.
const FILE_BYTES_MAX = 4_000_000;
const DOCUMENT_BYTES_MIN = 10_000;

const BY_CONTENT_TYPE: Record<string, FileType> = {
  'application/pdf': 'Pdf',
  'image/jpeg': 'Jpg',
  'image/jpg': 'Jpg',
  'image/png': 'Png',
  'text/csv': 'Csv',
};

const BY_ENDING: Record<string, FileType> = { csv: 'Csv', jpeg: 'Jpg', jpg: 'Jpg', pdf: 'Pdf', png: 'Png' };

/** The content type of files of unknown type, whose type is taken from the name. */
const UNKNOWN = 'application/octet-stream';

const ALLOWED: Record<Exclude<FileCategory, 'Report'>, readonly FileType[]> = {
  Evidence: ['Csv', 'Jpg', 'Pdf', 'Png'],
  VerificationDocument: ['Jpg', 'Pdf', 'Png'],
};

/** Returns the type of a file by its content type, or by the extension of its name; undefined for an unknown one. */
function fileTypeOf({ name, contentType }: Pick<UploadedFile, 'name' | 'contentType'>): FileType | undefined {
  const type = contentType.toLowerCase().split(';')[0]!.trim();
  if (type !== UNKNOWN) return BY_CONTENT_TYPE[type];
  return BY_ENDING[/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''];
}

/**
 * Validates an uploaded file and returns it with its type.
 * @throws Refusal `file_type` for a type that the category does not allow; `invalid_field` for a file that is
 *   missing, or whose name or content is too short or too long.
 */
export function checkUpload(
  file: UploadedFile | undefined,
  category: Exclude<FileCategory, 'Report'>,
): { file: UploadedFile; type: FileType } {
  if (!file) throw new Refusal('invalid_field', { field: 'file', problem: 'is required, with a file name' });
  if (file.name.length > 255) {
    throw new Refusal('invalid_field', {
      field: 'file',
      problem: 'must have a name of at most 255 characters',
    });
  }
  const type = fileTypeOf(file);
  const allowed = ALLOWED[category];
  if (!type || !allowed.includes(type)) throw new Refusal('file_type', { allowed: allowed.join(', ') });
  const least = category === 'VerificationDocument' ? DOCUMENT_BYTES_MIN : 1;
  if (file.bytes.length < least || file.bytes.length > FILE_BYTES_MAX) {
    throw new Refusal('invalid_field', {
      field: 'file',
      problem: `must have ${least} to ${FILE_BYTES_MAX} bytes`,
    });
  }
  return { file, type };
}
