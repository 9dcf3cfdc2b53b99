/** Why a request of a world gets no answer whose endpoint has no process. */
export const CONNECTION_REFUSED = 'no answer (connection refused)';

/** A POST to another server. */
export interface OutgoingRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Real time over which the body is sent, in pieces; at once without it. */
  bodyMs?: number;
  /** Real time for the whole request: lookup, connect, headers, body. */
  timeoutMs: number;
}

/** A GET of something small. */
export type OutgoingFetch = Omit<OutgoingRequest, 'body' | 'bodyMs'>;

/** Response of a POST, with the beginning of its body. */
export interface PostAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** Whether the body was longer than what is returned of it. */
  isCut: boolean;
}

/** Response of a GET; the body is cut at the limit. */
export interface Fetched {
  status: number;
  /** Empty when the response has none. */
  contentType: string;
  body: string;
}

/** Client for requests to other servers: webhook deliveries and verification files of web domains. */
export interface Outgoing {
  /**
   * Sends a POST and returns the response. The body is read up to a limit of bytes and time; once there is a status,
   * nothing that the body does changes it. Redirects are not followed.
   * @throws Fault `transport` when there was no answer: not reached, hung, or not allowed.
   * @throws Fault `internal` when this was closed meanwhile, so that the outcome is unknown.
   */
  post(request: OutgoingRequest): Promise<PostAnswer>;
  /**
   * What is at a URL, under the same rules.
   * @throws Fault as `post`, also when the body breaks off.
   */
  get(request: OutgoingFetch): Promise<Fetched>;
  /** Whether the URL's host may be called at all; looked at when a webhook is registered. */
  allowed(url: string): Promise<boolean>;
  /** Gives up what is under way. */
  close(): Promise<void>;
}
