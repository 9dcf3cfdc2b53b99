import type { ShopOrder } from './verdicts/hunt-facts.ts';

/** What a program of the integrator has to know to sell in a sandbox. */
export interface ShopEnvironment {
  url: string;
  secretKey: string;
  terminalId?: string | undefined;
  /** All terminals, the one above first. */
  terminalIds?: readonly string[];
  order: Pick<ShopOrder, 'orderId' | 'amount'>;
  currency: string;
  /** Of the endpoint at which it takes webhooks. */
  webhookSecret?: string | undefined;
  /** On which it listens. */
  port?: number;
  /** File for what it keeps. */
  store?: string;
  /** How many times as fast as real time that of the sandbox passes. */
  speed?: number;
}

/**
 * Returns the environment variables of a program that sells in a sandbox, for drills and hunts alike. Those that it is not
 * told are left out. docs/hunting.md describes each.
 */
export function shopVariables(told: ShopEnvironment): Record<string, string> {
  const { url, secretKey, terminalId, terminalIds, order, currency, webhookSecret, port, store, speed } =
    told;
  const variables = {
    TAPBENCH_URL: url,
    TAPBENCH_KEY: secretKey,
    TAPBENCH_TERMINAL: terminalId,
    TAPBENCH_TERMINALS: terminalIds?.join(','),
    TAPBENCH_ORDER: order.orderId,
    TAPBENCH_AMOUNT: order.amount,
    TAPBENCH_CURRENCY: currency,
    TAPBENCH_WEBHOOK_SECRET: webhookSecret,
    TAPBENCH_PORT: port,
    TAPBENCH_STORE: store,
    TAPBENCH_SPEED: speed,
  };
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}
