import { createHash } from 'node:crypto';
import { readPage } from '../../platform/http/paging.ts';
import { Page } from '../../platform/http/paging.schema.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { FILE_LIST, findFile, insertFile, toFile, type FileRow } from './file.records.ts';
import { checkUpload } from './file.rules.ts';
import { File, FileCreate, FileQuery } from './file.schema.ts';

const common = { tag: 'File', section: 'Spec §4.13', accountHeader: true };

const uploadFileRoute = route({
  ...common,
  operation: 'POST /files',
  summary: 'Upload a file as evidence in a dispute or as a document for verification',
  upload: true,
  body: FileCreate,
  reply: File,
  refusals: ['file_type'],
  async handle({ services: { clock, ids, store }, caller, body: { category, metadata }, file: uploaded }) {
    const { file, type } = checkUpload(uploaded, category);
    const { name, bytes } = file;
    const digest = createHash('sha256').update(bytes).digest('hex');
    const { accountId } = caller;
    const id = ids.make('file');
    const newFile = { id, accountId, name, type, category, digest, sizeBytes: bytes.length, metadata };
    return toFile(await store.transaction((tx) => insertFile(tx, newFile, clock.nowMs())));
  },
});

const listFilesRoute = route({
  ...common,
  operation: 'GET /files',
  summary: 'List files',
  query: FileQuery,
  reply: Page(File),
  refusals: ['unknown_token'],
  async handle({ services: { store }, caller, query }) {
    const source = FILE_LIST(caller.accountId, query.category);
    const page = await readPage<FileRow>(store, source, query);
    return { items: page.rows.map(toFile), paginationToken: page.paginationToken };
  },
});

const getFileRoute = route({
  ...common,
  operation: 'GET /files/{id}',
  summary: 'Retrieve a file, without its content',
  reply: File,
  find: ({ services: { store }, caller, params }) => findFile(store, caller.accountId, params.id),
  handle: async ({ found }) => toFile(found),
});

export const fileRoutes: readonly Route[] = [uploadFileRoute, listFilesRoute, getFileRoute];
