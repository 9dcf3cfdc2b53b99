import { List } from '../../platform/http/paging.schema.ts';
import { deleteRoute } from '../../platform/http/object-routes.ts';
import { noSuch } from '../../platform/http/refusals.ts';
import { route, type FindContext, type Route } from '../../platform/http/route.ts';
import { listWebhooks, toCreatedWebhook, webhooks } from './webhook.records.ts';
import { changeWebhook, createWebhook, refuseUrl } from './webhook-service.ts';
import { Webhook, WebhookCreate, WebhookCreated, WebhookUpdate } from './webhook.schema.ts';

const tag = 'Webhook';
const section = 'Spec §4.2';

const byId = ({ services: { store }, caller, params }: FindContext<'webhookId'>) =>
  webhooks.find(store, caller.platformId, params.webhookId);

const createWebhookRoute = route({
  operation: 'POST /webhooks',
  tag,
  summary: 'Register a webhook endpoint',
  section,
  body: WebhookCreate,
  reply: WebhookCreated,
  refusals: ['webhook_url', 'webhook_private', 'webhooks_limit'],
  prepare: ({ services, body }) => refuseUrl(services, body.url),
  handle: async ({ services, caller, body }) =>
    toCreatedWebhook(await createWebhook(services, caller.platformId, body)),
});

const listWebhooksRoute = route({
  operation: 'GET /webhooks',
  tag,
  summary: 'List webhook endpoints, newest first',
  section,
  reply: List(Webhook),
  handle: async ({ services: { store }, caller }) => ({
    items: (await listWebhooks(store, caller.platformId)).map((row) => webhooks.show(row)),
  }),
});

const getWebhookRoute = route({
  operation: 'GET /webhooks/{webhookId}',
  tag,
  summary: 'Retrieve a webhook endpoint',
  section,
  reply: Webhook,
  find: byId,
  handle: async ({ found }) => webhooks.show(found),
});

const updateWebhookRoute = route({
  operation: 'PATCH /webhooks/{webhookId}',
  tag,
  summary: 'Update a webhook endpoint',
  section,
  body: WebhookUpdate,
  reply: Webhook,
  refusals: ['webhook_url', 'webhook_private'],
  find: byId,
  async handle({ services, body, found }) {
    const row = await changeWebhook(services, found.id, body);
    if (!row) throw noSuch(tag);
    return webhooks.show(row);
  },
});

const deleteWebhookRoute = deleteRoute({
  operation: 'DELETE /webhooks/{webhookId}',
  tag,
  summary: 'Delete a webhook endpoint',
  section,
  kind: 'webhook',
  find: byId,
  remove: (tx, { id }, nowMs) => webhooks.delete(tx, id, nowMs),
});

/** Routes for the webhooks of the platform. They receive events of its sub accounts too, so there is no Account header. */
export const webhookRoutes: readonly Route[] = [
  createWebhookRoute,
  listWebhooksRoute,
  getWebhookRoute,
  updateWebhookRoute,
  deleteWebhookRoute,
];
