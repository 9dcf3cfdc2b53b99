import { Id, Metadata, Timestamp, Type, type Static } from '../../../protocol/schema.ts';
import { PageQuery } from '../../platform/http/paging.schema.ts';

export const FILE_METADATA_MAX = 10; // docs/choices.md, Files

export const FileType = Type.Enum(['Csv', 'Jpg', 'Png', 'Pdf']);
export type FileType = Static<typeof FileType>;

export const FileCategory = Type.Enum(['Evidence', 'VerificationDocument', 'Report'], {
  description: 'Report is made by the service, never uploaded',
});
export type FileCategory = Static<typeof FileCategory>;

/** An uploaded file: what it is; its content cannot be fetched. Spec §4.13. */
export const File = Type.Object(
  {
    id: Id('file'),
    name: Type.String({ description: 'The name it was uploaded with' }),
    type: FileType,
    category: FileCategory,
    metadata: Metadata(FILE_METADATA_MAX),
    sizeInBytes: Type.Integer(),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'File' },
);
export type File = Static<typeof File>;

export const FileCreate = Type.Object({
  category: Type.Enum(['Evidence', 'VerificationDocument'], {
    description:
      'Evidence: csv, jpg, pdf, png. VerificationDocument: jpg, pdf, png, at least 10 kB. At most 4 MB.',
  }),
  metadata: Type.Optional({
    ...Metadata(FILE_METADATA_MAX),
    description:
      'One part `metadata[key]` for each entry, at most 10; keys 1 to 30 characters, values 1 to 250',
  }),
});

export const FileQuery = Type.Object({ ...PageQuery.properties, category: Type.Optional(FileCategory) });
