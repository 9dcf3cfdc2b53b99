/** Parameters without which an operation does nothing, by operation. */
const EXAMPLES: Record<string, Record<string, unknown>> = {
  'GET /conversions/rate': { sellCurrency: 'GBP', buyCurrency: 'EUR', sellAmount: 1250 },
  'GET /in-person/skus': { country: 'GB' },
  'GET /sandbox/objects': { type: 'paymentSession' },
  'GET /sandbox/search': { text: 'SIM-0001' },
};

/** Returns an example of a parameter of an operation's query; undefined for one that can be left out. */
export function queryExampleOf(operation: string, name: string): unknown {
  return EXAMPLES[operation]?.[name];
}
