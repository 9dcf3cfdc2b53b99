import {
  CreatedTimestamp,
  Id,
  LastUpdatedTimestamp,
  Metadata,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import { PageQuery } from '../../platform/http/paging.schema.ts';

const FILE_METADATA_MAX = 10; // docs/choices.md, Files

export const FileType = Type.Enum(['Csv', 'Jpg', 'Png', 'Pdf'], { description: 'Format of the file' });
export type FileType = Static<typeof FileType>;

export const FileCategory = Type.Enum(['Evidence', 'VerificationDocument', 'Report'], {
  description: 'What the file is for. `Report` files are created by the service and cannot be uploaded.',
});
export type FileCategory = Static<typeof FileCategory>;

/** An uploaded file: what it is; its content cannot be fetched. Spec §4.13. */
export const File = Type.Object(
  {
    id: Id('file'),
    name: Type.String({ description: 'Name of the uploaded file' }),
    type: FileType,
    category: FileCategory,
    metadata: Metadata(FILE_METADATA_MAX),
    sizeInBytes: Type.Integer({ description: 'Size of the file, in bytes' }),
    createdTimestamp: CreatedTimestamp,
    lastUpdatedTimestamp: LastUpdatedTimestamp,
  },
  { title: 'File', description: 'An uploaded file. Its content cannot be fetched.' },
);
export type File = Static<typeof File>;

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
