import { Metadata, Type, withDescription, type Static } from '../../../protocol/schema.ts';
import { CREATED, ObjectSchema, UPDATED } from '../../platform/http/openapi/object-schemas.ts';
import { PageQuery } from '../../platform/http/paging.schema.ts';
import type { Properties } from '../../platform/store/stored-property.ts';

const FILE_METADATA_MAX = 10; // docs/choices.md, Files

export const FileType = Type.Enum(['Csv', 'Jpg', 'Png', 'Pdf'], { description: 'Format of the file' });
export type FileType = Static<typeof FileType>;

export const FileCategory = Type.Enum(['Evidence', 'VerificationDocument', 'Report'], {
  description: 'What the file is for. `Report` files are created by the service and cannot be uploaded.',
});
export type FileCategory = Static<typeof FileCategory>;

/** An uploaded file: what it is; its content cannot be fetched. Spec §4.13. */
export const FILE = {
  name: {
    schema: Type.String({ description: 'Name of the uploaded file' }),
    column: 'name',
    always: true,
    searched: true,
  },
  type: { schema: FileType, column: 'type', always: true },
  category: { schema: FileCategory, column: 'category', always: true },
  metadata: { schema: Metadata(FILE_METADATA_MAX), column: 'metadata', initial: {}, searched: true },
  /** SHA-256 of the content, hexadecimal; the content itself is not stored (docs/choices.md, Files). */
  digest: { schema: Type.String(), column: 'digest', always: true, reply: 'hidden' },
  sizeInBytes: {
    schema: Type.Integer({ description: 'Size of the file, in bytes' }),
    column: 'size_bytes',
    always: true,
  },
  createdTimestamp: CREATED,
  lastUpdatedTimestamp: UPDATED,
} as const satisfies Properties;

export const File = ObjectSchema('file', FILE, {
  title: 'File',
  description: 'An uploaded file. Its content cannot be fetched.',
});

/** The fields of the form that uploads a file. */
export const FileCreate = Type.Object({
  category: Type.Enum(['Evidence', 'VerificationDocument'], {
    description:
      'What the file is for. `Evidence` accepts csv, jpg, pdf and png. `VerificationDocument` accepts jpg, pdf and png of at least 10 kB. At most 4 MB.',
  }),
  metadata: Type.Optional(
    withDescription(
      Metadata(FILE_METADATA_MAX),
      'Set of key-value pairs that you attach to the file: a part `metadata[key]` for each entry, at most 10, with keys of 1 to 30 characters and values of 1 to 250',
    ),
  ),
});

export const FileQuery = Type.Object({
  ...PageQuery.properties,
  category: Type.Optional(withDescription(FileCategory, 'Return only files of this category')),
});
