import type { ServerSettings } from '../../settings.ts';

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

/** Returns the text of what a handler returned: with strict settings, without what is beyond the specification. */
export function textOf(
  reply: unknown,
  {
    serialise,
    serialiseStrict,
  }: { serialise(reply: unknown): string; serialiseStrict(reply: unknown): string },
  { strict }: Pick<ServerSettings, 'strict'>,
): string {
  if (reply instanceof ReplyText) return reply.text;
  return strict === 'on' ? serialiseStrict(reply) : serialise(reply);
}
