import fc from 'fast-check';
import { Aedes } from 'aedes';
import { describe, expect, test as example } from 'vitest';
import { createCleanSessionPersistence } from '../../../../server/platform/broker/clean-session-persistence.ts';
import { property } from '../../../property.ts';

type Packet = Parameters<ReturnType<typeof createCleanSessionPersistence>['storeRetained']>[0];

interface RetainingPersistence {
  storeRetained(packet: Packet): Promise<void>;
  createRetainedStreamCombi(filters: string[]): AsyncIterable<Packet>;
}

/** The persistence that aedes uses by default. */
async function ofAedes(): Promise<RetainingPersistence> {
  const aedes = await Aedes.createBroker();
  await new Promise<void>((resolve) => aedes.close(resolve));
  return (aedes as unknown as { persistence: RetainingPersistence }).persistence;
}

async function contentsOf(persistence: RetainingPersistence, filters: string[]): Promise<string[]> {
  const found: string[] = [];
  for await (const { topic, payload } of persistence.createRetainedStreamCombi(filters))
    found.push(`${topic} ${payload.toString()}`);
  return found.sort();
}

function retain(persistence: RetainingPersistence, topic: string, text = 'x'): Promise<void> {
  return persistence.storeRetained({ topic, payload: Buffer.from(text) });
}

// Few names, so that filters often match. aedes matches no wildcard with an empty level, and `$` topics with all.
const name = fc.constantFrom('a', 'b', 'c');
const topic = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const filter = fc
  .tuple(fc.array(fc.oneof(name, fc.constant('+')), { maxLength: 4 }), fc.constantFrom([], ['#']))
  .map(([names, end]) => [...names, ...end].join('/'))
  .filter((text) => text !== '');
const writes = fc.array(fc.tuple(topic, fc.constantFrom('', 'one', 'two')), { maxLength: 40 });

describe('createCleanSessionPersistence', () => {
  property([writes, fc.array(filter, { minLength: 1, maxLength: 3 })])(
    'returns the retained messages that the persistence of aedes returns',
    async (retained, filters) => {
      const [ours, reference] = [createCleanSessionPersistence(), await ofAedes()];
      for (const [each, text] of retained) {
        await retain(ours, each, text);
        await retain(reference, each, text);
      }
      expect(await contentsOf(ours, filters)).toEqual(await contentsOf(reference, filters));
    },
  );

  // MQTT 3.1.1 §4.7.1.2, §4.7.1.3, §4.7.2 and §4.7.3.
  example.each([
    ['#', ['/finance', 'sport', 'sport/tennis']],
    ['sport/#', ['sport', 'sport/tennis']],
    ['+', ['sport']],
    ['+/+', ['/finance', 'sport/tennis']],
    ['/+', ['/finance']],
    ['+/monitor', []],
    ['$SYS/#', ['$SYS', '$SYS/monitor']],
    ['$SYS/+', ['$SYS/monitor']],
    ['SPORT', []],
  ])('matches %s as MQTT requires', async (given, expected) => {
    const persistence = createCleanSessionPersistence();
    for (const each of ['$SYS', '$SYS/monitor', '/finance', 'sport', 'sport/tennis'])
      await retain(persistence, each);
    expect(await contentsOf(persistence, [given])).toEqual(expected.map((each) => `${each} x`));
  });

  example('keeps one buffer for equal long payloads, and bytes of its own for each message', async () => {
    const persistence = createCleanSessionPersistence();
    const read = Buffer.alloc(4_000, 'd');
    const description = read.subarray(0, 2_000);
    await persistence.storeRetained({ topic: 'a/machine', payload: description });
    await persistence.storeRetained({ topic: 'b/machine', payload: Buffer.from(description) });
    await persistence.storeRetained({ topic: 'c/machine', payload: Buffer.alloc(2_000, 'e') });
    read.fill('x');
    const payloads: Buffer[] = [];
    for await (const { payload } of persistence.createRetainedStream('+/machine')) payloads.push(payload);
    expect(payloads[0]).toBe(payloads[1]);
    expect(payloads.map((payload) => payload.toString()[0])).toEqual(['d', 'd', 'e']);
  });

  example('holds a message of QoS 2 until it is released or its client is gone', async () => {
    const persistence = createCleanSessionPersistence();
    const client = { id: 'till' };
    await persistence.incomingStorePacket(client, { messageId: 1 });
    await persistence.incomingStorePacket(client, { messageId: 2 });
    await expect(persistence.incomingGetPacket({ id: 'other' }, { messageId: 1 })).rejects.toThrow(
      'no such packet',
    );
    await persistence.incomingDelPacket(client, { messageId: 1 });
    await expect(persistence.incomingGetPacket(client, { messageId: 1 })).rejects.toThrow('no such packet');
    expect(await persistence.incomingGetPacket(client, { messageId: 2 })).toEqual({ messageId: 2 });
    await persistence.cleanIncoming(client);
    await expect(persistence.incomingDelPacket(client, { messageId: 2 })).rejects.toThrow('no such packet');
  });
});
