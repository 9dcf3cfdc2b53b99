import { expect, onTestFinished, test } from 'vitest';
import { openReaderFixture } from '../kit/reader-fixture.ts';
import { startWorld } from '../../testing/world/world.ts';
import { earn, EARNED_MINUTES } from './one-of-each.ts';

// oxlint-disable-next-line no-explicit-any -- objects of the API
type Json = any;

/** Returns a rate, a conversion once it is priced, the list of conversions, and the data of the conversion's events. */
async function conversionIn(strict: 'on' | 'off'): Promise<Record<string, Json>> {
  const world = await startWorld({ settings: { strict } });
  onTestFinished(() => world.close());
  const { api } = world;
  await earn(world, world.platformId);
  await world.advance({ minutes: EARNED_MINUTES });
  const rate = await api.get('/v1/conversions/rate?sellCurrency=EUR&sellAmount=1000&buyCurrency=GBP');
  const sale = { sell: { amount: 1000, currency: 'EUR' }, buy: { currency: 'GBP' }, termAgreement: true };
  const { body: created } = await api.post('/v1/conversions', sale);
  await world.advance({ seconds: 2 });
  const { items } = (await api.get('/v1/events')).body;
  return {
    rate: rate.body,
    created,
    conversion: (await api.get(`/v1/conversions/${created.id}`)).body,
    list: (await api.get('/v1/conversions')).body.items,
    events: items
      .filter(({ eventType }: Json) => eventType.startsWith('Conversion.'))
      .map(({ data }: Json) => data),
  };
}

test('STRICT=on: rates, conversions and their events have none of the extensions', async () => {
  const { rate, created, conversion, list, events } = await conversionIn('on');
  expect(rate).not.toHaveProperty('fees');
  for (const { buy } of [rate, conversion, list[0]])
    expect(buy.fees).toEqual({ ryft: { amount: expect.any(Number) } });
  for (const each of [created, conversion, list[0], ...events])
    expect(each).not.toHaveProperty('lastUpdatedTimestamp');
  expect(events).toHaveLength(2);
  const priced = events.find(({ rate: price }: Json) => price !== undefined);
  expect(priced.buy.fees).toEqual(conversion.buy.fees);
});

test('STRICT=off: rates, conversions and their events have the extensions', async () => {
  const { rate, created, conversion, events } = await conversionIn('off');
  expect(rate.fees).toEqual(rate.buy.fees);
  expect(conversion.buy.fees.total).toBe(conversion.buy.fees.ryft.amount);
  for (const each of [created, conversion, ...events]) expect(each).toHaveProperty('lastUpdatedTimestamp');
});

/** Returns the error of a payment whose reader is unplugged: of the API, and of its event. */
async function readerErrorIn(strict: 'on' | 'off'): Promise<Json[]> {
  const shop = await openReaderFixture({ driver: 'pn532', world: { settings: { strict } } });
  onTestFinished(() => shop.close());
  await shop.till.pay(1742);
  await shop.is('awaitingCard');
  await shop.terminal.unplug();
  const { error } = await shop.ended();
  const { items } = (await shop.world.api.get('/v1/events')).body;
  return [error, items.find(({ data }: Json) => data.action?.error)?.data.action.error];
}

test('STRICT=on: the error of an action has a code alone', async () => {
  const error = { code: 'unexpected_error', settings: { receiptPrintingSource: 'Terminal' } };
  expect(await readerErrorIn('on')).toEqual([error, error]);
});

test('STRICT=off: the error of an action has what the reader reported', async () => {
  const error = { code: 'unexpected_error', reason: expect.any(String) };
  expect(await readerErrorIn('off')).toMatchObject([error, error]);
});
