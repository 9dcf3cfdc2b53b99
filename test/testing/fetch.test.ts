import { expect, test } from 'vitest';
import { WholeResponse } from '../../testing/world/fetch.ts';

const TEXT = '{"amount":1742,"name":"Café"}';

const reply = () =>
  new WholeResponse(new TextEncoder().encode(TEXT), {
    status: 201,
    headers: { 'content-type': 'application/json', 'request-id': 'req_1' },
  }) as Response;

/** A reply of Node with the same content. */
const nodes = () =>
  new Response(TEXT, {
    status: 201,
    headers: { 'content-type': 'application/json', 'request-id': 'req_1' },
  });

const READERS = {
  text: (response: Response) => response.text(),
  json: (response: Response) => response.json(),
  arrayBuffer: async (response: Response) => Buffer.from(await response.arrayBuffer()),
  blob: async (response: Response) => {
    const blob = await response.blob();
    return [blob.type, await blob.text()];
  },
  body: async (response: Response) => new Response(response.body).text(),
  clone: async (response: Response) => [await response.clone().text(), await response.text()],
};

test.each(Object.entries(READERS))(
  'WholeResponse: %s reads what it reads of a reply of Node',
  async (_, read) => {
    expect(reply()).toBeInstanceOf(Response);
    expect(reply()).toMatchObject({ status: 201, ok: true, bodyUsed: false });
    expect([...reply().headers]).toEqual([...nodes().headers]);
    expect(await read(reply())).toEqual(await read(nodes()));
  },
);

test.each(Object.entries(READERS))(
  'WholeResponse: after %s the body is used, and is not read again',
  async (_, read) => {
    for (const response of [reply(), nodes()]) {
      await read(response);
      expect(response.bodyUsed).toBe(true);
      await expect(response.json()).rejects.toBeInstanceOf(TypeError);
      expect(() => response.clone()).toThrow(TypeError);
    }
  },
);

test('WholeResponse: a body that a reader has locked is not read besides it', async () => {
  for (const response of [reply(), nodes()]) {
    const reader = response.body!.getReader();
    await expect(response.text()).rejects.toBeInstanceOf(TypeError);
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(TEXT);
  }
});
