import type { ShopCall } from '../../../world/shop-calls.ts';
import type { Found, HuntOptions, HuntResult } from '../hunt-options.ts';

export interface CommandHuntOptions extends Omit<HuntOptions, 'scenario' | 'processes' | 'shop'> {
  /** Command line that starts the shop, which sells one order (docs/hunting.md). It is run by the shell of the system. */
  command: string;
  /**
   * Command lines of what runs beside the shop, by name, such as a worker or a second till: each is started after the shop, and stopped
   * for itself.
   */
  processes?: Readonly<Record<string, string>> | undefined;
  /**
   * Path that sells, such as `/orders`: the order is posted to it when the process listens. Without it the command sells
   * when it is started.
   */
  sell?: string | undefined;
  /**
   * What is posted to the process in place of one order: each call when it is quiet again, or together with the one
   * before.
   */
  calls?: readonly ShopCall[] | undefined;
  /** What is sold; `order-1` for 17.42 by default. */
  order?: { orderId: string; amount: number };
  /** File or folder of which each plan gets a copy as the store of the process; by default it begins without one. */
  store?: string | undefined;
  /** Terminals of a sandbox, unless `prepare` opens them; 1 by default. */
  terminals?: number | undefined;
  /** What prints its books: a path that it serves, such as `/books`, or a command line. Without it they are not judged. */
  books?: string | undefined;
  /** Path at which it takes webhooks, such as `/webhooks`. Without it none are sent. */
  webhooks?: string | undefined;
  /** How many times as fast as real time that of the sandbox passes; 20 by default. */
  speed?: number;
  /** A process that goes on running has sold when it has sent nothing for this many seconds; 2 by default. */
  quietSeconds?: number;
  /** Seconds that the process gets for a plan at most; 30 by default. */
  limitSeconds?: number;
  /**
   * How many plans are tried at once, each with a process, a port and a store of its own; 1 by default. What is found is the
   * same.
   */
  jobs?: number;
  /** Variables of the process, besides those of the hunt; those of this process by default. */
  env?: Record<string, string | undefined>;
}

export interface CommandFound extends Found {
  /** The end of what the process printed. */
  output: string;
}

export interface CommandHuntResult extends HuntResult {
  found?: CommandFound;
  others?: CommandFound[];
}
