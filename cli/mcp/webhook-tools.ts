import { Type } from '../../protocol/schema.ts';
import { DeliveryQuery } from '../../server/platform/outbox/delivery.schema.ts';
import { listedBy, pageInputs, sandboxInput, tool, wholeInput } from './tool.ts';

const { status, reply, event, object, endpoint, text } = DeliveryQuery.properties;

const listWebhooks = tool({
  name: 'list_webhooks',
  title: 'List webhook endpoints',
  description:
    'Lists the webhook endpoints with their health: of their latest 1,000 deliveries how many were delivered, failed and wait, and the last failure.',
  inputs: { sandbox: sandboxInput },
  effect: 'read',
  run: ({ api }, { sandbox }) => api(sandbox).call('GET /sandbox/webhooks'),
});

const listDeliveries = tool({
  name: 'list_deliveries',
  title: 'List deliveries',
  description:
    'Lists the newest deliveries of events to webhook endpoints, to see what your endpoint replied. get_delivery returns one whole.',
  inputs: {
    status,
    reply,
    event,
    object,
    endpoint,
    text,
    ...pageInputs,
    whole: wholeInput,
    sandbox: sandboxInput,
  },
  effect: 'read',
  run: async ({ api }, { sandbox, whole, ...filters }) =>
    listedBy(
      await api(sandbox).call('GET /sandbox/deliveries', { query: filters }),
      ['id', 'eventId', 'eventType', 'objectId', 'url', 'status', 'attempts', 'lastResult'],
      whole,
    ),
});

const deliveryId = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Id of the delivery; list_deliveries has it',
});

const getDelivery = tool({
  name: 'get_delivery',
  title: 'Get a delivery',
  description:
    'Returns a delivery with the body that was sent, its signature and how it was computed, every attempt with the reply, and the request that caused the event.',
  inputs: { id: deliveryId, sandbox: sandboxInput },
  effect: 'read',
  run: ({ api }, { id, sandbox }) =>
    api(sandbox).call('GET /sandbox/deliveries/{deliveryId}', { params: { deliveryId: id } }),
});

const sendDelivery = tool({
  name: 'send_delivery',
  title: 'Send a delivery again',
  description: 'Sends a delivery to its endpoint again, once, and returns it with the reply.',
  inputs: { id: deliveryId, sandbox: sandboxInput },
  effect: 'each time',
  run: ({ api }, { id, sandbox }) =>
    api(sandbox).call('POST /sandbox/deliveries/{deliveryId}/send', { params: { deliveryId: id } }),
});

export const WEBHOOK_TOOLS = [listWebhooks, listDeliveries, getDelivery, sendDelivery];
