import type { FastifyInstance } from 'fastify';
import { accountLinkRoutes } from '../../../../server/api/onboarding/account-link.resource.ts';
import { accountRoutes } from '../../../../server/api/accounts/account.resource.ts';
import { personRoutes } from '../../../../server/api/accounts/person.resource.ts';
import { eventRoutes } from '../../../../server/api/webhooks/event.resource.ts';
import { fileRoutes } from '../../../../server/api/files/file.resource.ts';
import { sandboxVerificationRoutes } from '../../../../server/sandbox-controls/sandbox-verification.resource.ts';
import { encodeForm } from '../../../../testing/world/api.ts';
import { uploadForm, type FormFile } from '../../../kit/form.ts';
import { smallServer, type Answer, type SmallServer } from '../../platform/http/small-server.ts';

/** A small server with everything about accounts. */
export interface AccountServer extends SmallServer {
  /** Creates an account, or answers how that was refused. */
  create(body: object): Promise<Answer>;
  /** Uploads a document for verification; answers its id. */
  upload(file?: FormFile, account?: string, category?: string): Promise<string>;
  /** Types of the events about an object, oldest first. */
  eventsOf(objectId: string): Promise<string[]>;
}

const ROUTES = [
  ...accountRoutes,
  ...accountLinkRoutes,
  ...personRoutes,
  ...fileRoutes,
  ...eventRoutes,
  ...sandboxVerificationRoutes,
];

/** @param addMore adds what it serves beside the routes, such as pages */
export async function accountServer(addMore?: (http: FastifyInstance) => void): Promise<AccountServer> {
  const server = await smallServer(ROUTES, {}, {}, addMore);
  return {
    ...server,
    create: (body) => server.call('POST /v1/accounts', { body }),
    async upload(file, account, category = 'VerificationDocument') {
      const { bytes, contentType } = await encodeForm(uploadForm(category, file));
      const headers = { 'content-type': contentType, account };
      const { body } = await server.call('POST /v1/files', { raw: bytes, headers });
      return body.id as string;
    },
    async eventsOf(objectId) {
      const rows = await server.services.store.all<{ event_type: string; body: string }>(
        'SELECT event_type, body FROM events ORDER BY seq',
      );
      return rows
        .filter(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id === objectId)
        .map((row) => row.event_type);
    },
  };
}
