import { Type, type Static } from '../../protocol/schema.ts';

/** Below the time after which HTTP clients give up. */
export const WAIT_SECONDS_MAX = 10;

/** What a call waits for. */
export const TerminalWait = Type.Object({
  state: Type.Optional(
    Type.String({
      examples: ['awaitingPin'],
      pattern: '^[A-Za-z]+(?:,[A-Za-z]+)*$',
      description:
        "Replies once the terminal's state machine is in this state, named by a part of its dotted path such as `awaitingPin`; of several, separated by commas, in one of them",
    }),
  ),
  online: Type.Optional(
    Type.Boolean({ description: 'Replies once the terminal is connected, or is not connected for `false`' }),
  ),
  waitSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: WAIT_SECONDS_MAX,
      description: `Replies after this many seconds of real time even if the terminal is not so: ${WAIT_SECONDS_MAX} by default. Without \`state\` and \`online\` the call waits for nothing.`,
    }),
  ),
});
export type TerminalWait = Static<typeof TerminalWait>;
