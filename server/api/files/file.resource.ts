import { createHash } from 'node:crypto';
import { listRoute } from '../../platform/http/object-routes.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { fileList, files } from './file.records.ts';
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
  async handle({
    services: { accounts, clock, ids, store },
    caller,
    body: { category, metadata },
    file: uploaded,
  }) {
    const { file, type } = checkUpload(uploaded, category);
    const { name, bytes } = file;
    const digest = createHash('sha256').update(bytes).digest('hex');
    const { accountId, platformId } = caller;
    const id = ids.make('file');
    const newFile = { id, accountId, name, type, category, digest, sizeInBytes: bytes.length, metadata };
    return files.show(
      await store.transaction(
        async (tx) => {
          tx.delayReset();
          if (accountId !== platformId && (await accounts.findPlatformId(tx, accountId)) === undefined)
            throw new Refusal('account_not_linked');
          return files.insert(tx, newFile, clock.nowMs());
        },
        { guardedBy: [] },
      ),
    );
  },
});

const listFilesRoute = listRoute({
  ...common,
  operation: 'GET /files',
  summary: 'List files',
  query: FileQuery,
  item: File,
  list: ({ caller, query }) => fileList(caller.accountId, query.category),
  show: files.show,
});

const getFileRoute = route({
  ...common,
  operation: 'GET /files/{id}',
  summary: 'Retrieve a file, without its content',
  reply: File,
  find: ({ services: { store }, caller, params }) => files.find(store, caller.accountId, params.id),
  handle: async ({ found }) => files.show(found),
});

export const fileRoutes: readonly Route[] = [uploadFileRoute, listFilesRoute, getFileRoute];
