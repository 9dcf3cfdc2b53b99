import { expect, test } from 'vitest';
import { checker } from '../../../../protocol/schema.ts';
import { startWorld } from '../../../kit/world.ts';
import { ROUTES } from '../../../../server/routes.ts';

interface Operation {
  requestBody?: { content: Record<string, { example?: unknown }> };
}

test('OpenAPI document: the server refuses none of its examples as invalid', async () => {
  const world = await startWorld();
  const terminal = await world.addTerminal();
  const { body: document } = await world.api.get('/openapi.json');
  const { body: location } = await world.api.post('/v1/in-person/locations', {
    name: 'Corner Shop',
    address: { lineOne: '1 High Street', city: 'London', country: 'GB', postalCode: 'SW1A 1AA' },
  });
  const { body: customer } = await world.api.post('/v1/customers', { email: 'sam@example.com' });
  const ids: Record<string, string> = {
    terminals: terminal.terminalId,
    locations: location.id,
    customers: customer.id,
    accounts: world.subAccountId,
  };
  const refused: string[] = [];
  let sent = 0;
  for (const { operation, method, path, body, upload, bodyType } of ROUTES) {
    if (!body || upload || bodyType !== undefined || operation.includes('/reset')) continue;
    const { requestBody } = document.paths[path][method.toLowerCase()] as Operation;
    const example = requestBody!.content['application/json']!.example;
    expect([operation, checker(body)(example)]).toEqual([operation, []]);
    const at = path.replaceAll(/([\w-]+)\/\{\w+\}/g, (_, kind: string) => `${kind}/${ids[kind] ?? 'x_1'}`);
    const answer = await world.api.raw(method, at, JSON.stringify(example));
    sent += 1;
    const [error] = answer.body.errors ?? [];
    if (error?.code === 'invalid_field' || answer.status === 403)
      refused.push(`${operation}: ${error.message}`);
    if (operation === 'POST /in-person/terminals/{id}/payment') expect(answer.status).toBe(200);
  }
  await world.close();
  expect(refused).toEqual([]);
  expect(sent).toBeGreaterThan(50);
});
