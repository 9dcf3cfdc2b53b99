/** A reply as JSON text that the serialiser of its route wrote before: it is sent as it is. */
export class ReplyText {
  readonly text: string;
  /** Id of the object that it shows; undefined for a page. */
  readonly id: string | undefined;

  constructor(text: string, id?: string) {
    this.text = text;
    this.id = id;
  }
}

/** Returns the text of what a handler returned. */
export function textOf(reply: unknown, serialise: (reply: unknown) => string): string {
  return reply instanceof ReplyText ? reply.text : serialise(reply);
}
