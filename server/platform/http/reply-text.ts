/** A reply as JSON text that the serialiser of its route wrote before: it is sent as it is. */
export class ReplyText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
