type BodyMember = 'body' | 'bodyUsed' | 'text' | 'json' | 'arrayBuffer' | 'blob' | 'formData' | 'clone';

/** The members that `WholeResponse` does not replace. Node's types declare the others as properties of each instance. */
const ResponseHead = Response as unknown as new (
  body: null,
  init: ResponseInit,
) => Omit<Response, BodyMember>;

/**
 * A `Response` whose body has arrived. The one of Node streams each body, which costs more than a small reply itself;
 * this one creates the stream when it is read as one.
 */
export class WholeResponse extends ResponseHead {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #used = false;
  #streamed: Response | undefined;

  constructor(bytes: Uint8Array<ArrayBuffer>, init: ResponseInit) {
    super(null, init);
    this.#bytes = bytes;
  }

  get body(): Response['body'] {
    return (this.#streamed ??= this.#whole()).body;
  }

  get bodyUsed(): boolean {
    return this.#used || (this.#streamed?.bodyUsed ?? false);
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(this.#take());
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text()) as unknown;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#take().slice().buffer;
  }

  async blob(): Promise<Blob> {
    return this.#whole(this.#take()).blob();
  }

  async formData(): Promise<FormData> {
    return this.#whole(this.#take()).formData();
  }

  clone(): Response {
    if (this.#isUnusable) throw new TypeError('Response.clone: body has already been consumed');
    return this.#whole();
  }

  get #isUnusable(): boolean {
    return this.bodyUsed || (this.#streamed?.body?.locked ?? false);
  }

  /** Returns the bytes, once. @throws TypeError the second time, as fetch specifies */
  #take(): Uint8Array<ArrayBuffer> {
    if (this.#isUnusable) throw new TypeError('Body is unusable: body has already been read');
    this.#used = true;
    return this.#bytes;
  }

  /** Returns the same reply, as Node makes it. */
  #whole(bytes = this.#bytes): Response {
    const { status, statusText, headers } = this;
    return new Response(bytes, { status, statusText, headers });
  }
}
