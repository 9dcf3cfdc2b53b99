/** A POST to another server. */
export interface OutgoingRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** All of it: look-up, connect, headers, body. Real time. */
  timeoutMs: number;
}

/** A GET of something small. */
export type OutgoingFetch = Omit<OutgoingRequest, 'body'>;

/** What was there; of its body no more than is read of any answer. */
export interface Fetched {
  status: number;
  /** Empty when the answer does not say. */
  contentType: string;
  body: string;
}

/** The way out to the network: webhook deliveries, verification files of web domains, and nothing else. */
export interface Outgoing {
  /**
   * The status of the answer. Its body is read and thrown away, up to a limit of bytes and time; once there is a
   * status, nothing that the body does changes it. Redirects are not followed.
   * @throws Fault `transport` when there was no answer: not reached, hung, or not allowed.
   * @throws Fault `internal` when this was closed meanwhile, so that nobody knows what the answer would have been.
   */
  post(request: OutgoingRequest): Promise<{ status: number }>;
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
