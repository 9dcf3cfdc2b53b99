/** A request that was answered, or whose connection was closed before that. It is masked when it is stored. */
export interface FinishedRequest {
  /** The id that it is stored with, where something has named it before; otherwise it gets one then. */
  id?: string | undefined;
  method: string;
  /** Path with its query. */
  url: string;
  /** Null when the connection was closed before the answer. */
  status: number | null;
  /** When it arrived: real time, and the time of the sandbox, epoch milliseconds. */
  receivedMs: number;
  createdMs: number;
  elapsedMs: number;
  /** The last four characters of its key or token; null without one. */
  keyEnd: string | null;
  accountId: string | null;
  /** The id in the answer that reports an error. */
  requestId: string | null;
  /** The declared operation, such as `POST /payment-sessions`, and its tag; null where no route serves the request. */
  operation: string | null;
  tag: string | null;
  /** Name of the refusal. */
  refusal: string | null;
  /** How its idempotency key was treated; null without one. */
  idempotencyKey: 'used' | 'ignored' | null;
  headers: Record<string, string>;
  answerHeaders: Record<string, string>;
  /** Text of the body, or the fields of a form; undefined without one, or when it was not read. */
  body: string | object | undefined;
  /** Text of the answer; undefined for a file. */
  answer: string | undefined;
  /** Whether the answer has credentials, so that none of it is stored. */
  hasCredentials: boolean;
}

/** Stores requests with their answers, some at a time and after they were answered. */
export interface RequestLog {
  /** Returns an id for a request that is not stored yet. */
  newId(): string;
  /** Whether to add a request with this status: under load only refused ones and some of the others. */
  takes(status: number | null): boolean;
  /** Stores a request soon. */
  add(request: FinishedRequest): void;
  /** Resolves when all requests that were added are stored, or could not be. */
  flush(): Promise<void>;
  /** Forgets what was received until now, as after a reset: what waits, and what was stored while the reset ran. */
  clear(): void;
  /** The instant before which requests have expired, real time. */
  expiredBeforeMs(): number;
  /** Whether nothing is being written. */
  idle(): boolean;
  /** Stores what is waiting. */
  stop(): Promise<void>;
}
