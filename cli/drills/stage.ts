/** The sandbox of a drill, and the ways to it. */
export interface Stage {
  /** Base URL of the API, without a trailing slash. */
  url: string;
  secretKey: string;
  fetch: typeof fetch;
  backstage: Backstage;
  /** Waits, milliseconds of the time that clients and terminals have. */
  sleep(ms: number): Promise<void>;
  /** Advances the clock of the sandbox, and lets what becomes due be done. */
  advance(seconds: number): Promise<void>;
  /** Opens a webhook endpoint; `secret` is what its deliveries are signed with, once it is registered. */
  receive(secret: Promise<string>, onDelivery: (delivery: Delivery) => void): Promise<Endpoint>;
}

/** A webhook delivery that arrived, and whether its signature is true. */
interface Delivery {
  body: string;
  signed: boolean;
}

interface Endpoint {
  url: string;
  close(): Promise<void>;
}

/**
 * Calls the sandbox for who runs the drill, by operations that no fault of the drill strikes. Returns the body of the reply.
 * @throws Fault `server_answer` when it is refused, `transport` without a reply
 */
export type Backstage = (
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  /** The account to act for; the platform by default. */
  subAccountId?: string,
) => Promise<Json>;

// oxlint-disable-next-line no-explicit-any -- replies of the API
export type Json = any;

/** Who does what a line of the story tells. */
export type Teller = 'shop' | 'customer' | 'fault' | 'terminal' | 'books' | 'time';

/** A line of the story. */
export interface Step {
  who: Teller;
  text: string;
}
