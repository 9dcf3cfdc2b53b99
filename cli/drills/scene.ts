import type { Books } from './books.ts';
import type { Provider } from './provider.ts';
import type { Json, Teller } from './story.ts';

/** What a play has: the sandbox of its drill, and the shop that sells in it. */
export interface Scene {
  isRight: boolean;
  /** Path of the terminal in the API. */
  terminal: string;
  provider: Provider;
  books: Books;
  tell(who: Teller, text: string): void;
  /** Waits; what happens meanwhile is told. */
  sleep(ms: number): Promise<void>;
  /** Advances the clock of the sandbox. */
  advance(seconds: number): Promise<void>;
  /** Calls `/sandbox`, for what people do and see besides the API. */
  control(method: 'GET' | 'POST', path: string, body?: object): Promise<Json>;
  /** Sets what the cardholder does, and after how long. */
  cardholder(script: string, delayMs: number): Promise<void>;
  /** Registers a webhook endpoint for these event types, and gives each event with a true signature to `handle`. */
  listen(eventTypes: readonly string[], handle: (event: Json) => void): Promise<void>;
}
