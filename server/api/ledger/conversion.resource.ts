import { Type } from '../../../protocol/schema.ts';
import { lockAccount, requireAccount } from '../accounts/account.records.ts';
import type { Caller } from '../../platform/http/auth.ts';
import { listRoute } from '../../platform/http/object-routes.ts';
import { PageQuery } from '../../platform/http/paging.schema.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { listCreatedWithin, TimeWindow } from '../../platform/http/time-window.ts';
import { conversions, toConversion, toConversionFees, type ConversionRow } from './conversion.records.ts';
import { createConversion, refuseClosed, refuseExchange, refuseMissingAgreement } from './conversions.ts';
import { quoteConversion, settlementDateOf } from './exchange.ts';
import { Conversion, ConversionCreate, IndicativeRate, RateQuery } from './conversion.schema.ts';

/** How often one key may request rates (docs/choices.md, Conversions). */
const RATE_LIMIT = { name: 'conversion rates', perSecond: 1 };

const ofSubAccount = ({ accountId, platformId }: Caller) => accountId !== platformId;

const common = { tag: 'Conversion', section: 'Spec §4.7', accountHeader: true };

const createConversionRoute = route({
  ...common,
  operation: 'POST /conversions',
  summary: 'Create a conversion',
  body: ConversionCreate,
  reply: Conversion,
  refusals: ['terms_not_agreed', 'same_currency', 'amount_out_of_range', 'balance_short'],
  async handle({ services, caller, body }) {
    const { sell, buy, termAgreement, ...rest } = body;
    const exchange = {
      sellMinor: sell.amount,
      sellCurrency: sell.currency,
      buyCurrency: buy.currency,
    };
    refuseMissingAgreement(termAgreement);
    refuseExchange(exchange, { amount: 'sell.amount', currency: 'buy.currency' });
    const { accountId, platformId } = caller;
    const row = await services.store.transaction(
      async (tx) => {
        await lockAccount(tx, accountId);
        const { id, name } = await requireAccount(tx, platformId);
        return createConversion(tx, services, { accountId, createdBy: { id, name }, ...exchange, ...rest });
      },
      { guardedBy: ['availableBalance', 'chargebackPayer', 'jobClaims'] },
    );
    return toConversion(row, ofSubAccount(caller));
  },
});

const listConversionsRoute = listRoute({
  ...common,
  operation: 'GET /conversions',
  summary: 'List conversions',
  query: Type.Object({ ...TimeWindow, ...PageQuery.properties }),
  item: Conversion,
  refusals: ['window_backwards'],
  list: ({ caller, query }) => listCreatedWithin(conversions.listOf(caller.accountId), query),
  showAll: (rows: ConversionRow[], { caller }) => rows.map((row) => toConversion(row, ofSubAccount(caller))),
});

const getConversionRoute = route({
  ...common,
  operation: 'GET /conversions/{conversionId}',
  summary: 'Retrieve a conversion',
  reply: Conversion,
  find: ({ services: { store }, caller, params }) =>
    conversions.find(store, caller.accountId, params.conversionId),
  handle: async ({ caller, found }) => toConversion(found, ofSubAccount(caller)),
});

const getConversionRateRoute = route({
  ...common,
  operation: 'GET /conversions/rate',
  summary: 'Estimate a conversion at the current rate, which is not guaranteed',
  query: RateQuery,
  reply: IndicativeRate,
  refusals: ['same_currency', 'amount_out_of_range', 'desk_closed'],
  // The rate limit is checked before the request is validated (docs/choices.md, Order of refusals).
  async find({ services: { rateLimits }, caller }) {
    if (!rateLimits.allow(RATE_LIMIT, caller.keyHash)) {
      throw new Refusal('rate_exceeded', { rate: RATE_LIMIT.perSecond });
    }
    return true;
  },
  async handle({ services: { clock }, caller, query: { sellCurrency, sellAmount, amount, buyCurrency } }) {
    const sellMinor = sellAmount ?? amount;
    if (sellMinor === undefined)
      throw new Refusal('invalid_field', { field: 'sellAmount', problem: 'is required' });
    const exchange = { sellMinor, sellCurrency, buyCurrency };
    refuseExchange(exchange, { amount: 'sellAmount', currency: 'buyCurrency' });
    refuseClosed(clock.nowMs());
    const { rateMillionths, buyMinor, feeMinor } = quoteConversion(exchange);
    const fees = toConversionFees(feeMinor, ofSubAccount(caller));
    return {
      sell: { amount: sellMinor, currency: sellCurrency },
      buy: { amount: buyMinor, currency: buyCurrency, fees },
      rate: rateMillionths / 1_000_000,
      fees,
      estimatedSettlementDate: settlementDateOf(exchange, clock.nowMs()),
    };
  },
});

export const conversionRoutes: readonly Route[] = [
  createConversionRoute,
  listConversionsRoute,
  getConversionRoute,
  getConversionRateRoute,
];
