import { parseOutsideJson, TooDeepJson } from './outside-json.ts';
import { Fault } from './failures.ts';
import { checker, Type, type Static, type TSchema } from './schema.ts';
import { PACES } from './clock.ts';
import { CLOCK_TOPIC, topicOf, type Audience, type Channel } from './topics.ts';

/**
 * Declaration of a message. Its topic, codec, static type, permissions and entry in docs/asyncapi.json are derived
 * from it.
 */
interface Message<Body extends TSchema = TSchema> {
  /** Last level of the topic: `noun.verb` for commands, past tense for reports. */
  name: string;
  audience: Audience;
  channel: Channel;
  qos: 0 | 1;
  retain: boolean;
  body: Body;
  /** When it is sent and what the receiver does, in one or two sentences. */
  summary: string;
}

export type BodyOf<M extends Message> = Static<M['body']>;

export interface DeclaredMessage<Body extends TSchema = TSchema> extends Message<Body> {
  check(value: unknown): { path: string; message: string }[];
}

export function defineMessage<Body extends TSchema>(declaration: Message<Body>): DeclaredMessage<Body> {
  return { ...declaration, check: checker(declaration.body) };
}

/** A message as it is published. */
export interface Envelope {
  topic: string;
  payload: Buffer;
  qos: 0 | 1;
  retain: boolean;
}

export function encode<M extends DeclaredMessage>(
  declared: M,
  terminalId: string,
  body: BodyOf<M>,
): Envelope {
  return envelopeOf(declared, terminalId, Buffer.from(JSON.stringify(body)));
}

/** Returns a message whose body is encoded already, for one that many terminals send. */
export function envelopeOf(declared: DeclaredMessage, terminalId: string, payload: Buffer): Envelope {
  const { audience, channel, name, qos, retain } = declared;
  return { topic: topicOf({ audience, terminalId, channel, message: name }), payload, qos, retain };
}

/**
 * Parses and validates a payload. Returns its body.
 * @throws Fault `garbage_message` when it is not JSON or does not match the declaration.
 */
export function decode<M extends DeclaredMessage>(declared: M, payload: Uint8Array): BodyOf<M> {
  return parse(declared.name, declared.check, payload) as BodyOf<M>;
}

/** Returns a parsed value as the body of a message. @throws Fault `garbage_message` when it does not match. */
export function bodyOf<M extends DeclaredMessage>(declared: M, value: unknown): BodyOf<M> {
  return checked(declared.name, declared.check, value) as BodyOf<M>;
}

/** Body of `tapbench/clock`: sandbox time is real time plus this offset, which never decreases. */
export const ClockBody = Type.Object({
  offsetMs: Type.Integer({
    description:
      'Milliseconds by which the time of the sandbox is ahead of real time; negative where it is behind',
  }),
  pace: Type.Optional(
    Type.Enum([...PACES], {
      description:
        'How fast simulated cardholders and devices act: `real`, or `instant` without taking any time. `real` unless given. Other terminals ignore it.',
    }),
  ),
});
export type ClockBody = Static<typeof ClockBody>;

const checkClock = checker(ClockBody);

export function encodeClock(body: ClockBody): Envelope {
  return { topic: CLOCK_TOPIC, payload: Buffer.from(JSON.stringify(body)), qos: 1, retain: true };
}

/** Parses a payload of `tapbench/clock`. @throws Fault `garbage_message` when it is not valid. */
export function decodeClock(payload: Uint8Array): ClockBody {
  return parse('clock', checkClock, payload) as ClockBody;
}

function parse(name: string, check: DeclaredMessage['check'], payload: Uint8Array): unknown {
  let body: unknown;
  try {
    body = parseOutsideJson(textOf(payload));
  } catch (error) {
    const problem = error instanceof TooDeepJson ? error.message : 'not JSON';
    throw new Fault('garbage_message', `${name}: ${problem}`, { cause: error });
  }
  return checked(name, check, body);
}

function checked(name: string, check: DeclaredMessage['check'], value: unknown): unknown {
  const problem = check(value)[0];
  if (problem) throw new Fault('garbage_message', `${name}: ${problem.path} ${problem.message}`);
  return value;
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}
