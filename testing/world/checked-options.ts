import { CardholderScript } from '../../protocol/messages/inspection.messages.ts';
import { checker, Type, type TSchema } from '../../protocol/schema.ts';
import { SimulationAct } from '../../protocol/messages/sandbox.messages.ts';
import { cardNamed, unknownCardMessage } from '../../simulator/cards/card-registry.ts';
import { validateCardholder, type CardholderOptions } from '../../simulator/cardholder.ts';
import type { SimulatedTerminal } from '../../simulator/simulated-terminal.ts';

/*
 * Checks of what a test passes to a world. TypeScript finds most mistakes before the test runs; a test in JavaScript, or
 * one with a card name from a variable, gets a message here in place of a world where nothing happens.
 */

export const OnOff = Type.Optional(Type.Enum(['on', 'off']));
export const Cardholder = Type.Object(
  {
    script: CardholderScript,
    card: Type.Optional(Type.String()),
    delayMs: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  { additionalProperties: false },
);

/** Returns a function that throws an Error which names the first option that is unknown or has no valid value. */
export function optionsChecker<Options extends object>(
  call: string,
  properties: Record<keyof Options, TSchema>,
) {
  const check = checker(Type.Object(properties, { additionalProperties: false }));
  return (options: Options): void => {
    const problem = check(options)[0];
    if (problem) throw new Error(`${call}: ${problem.path || 'options'} ${problem.message}`);
    const { cardholder } = options as { cardholder?: CardholderOptions };
    const result = cardholder && validateCardholder(cardholder);
    if (result?.ok === false) throw new Error(`${call}: cardholder: ${result.problem}`);
  };
}

const problemsOfAct = checker(SimulationAct);

/** Returns a terminal whose `perform` throws for an act, a card, a key or a control that does not exist. */
export function withCheckedActs(terminal: SimulatedTerminal): SimulatedTerminal {
  const perform: SimulatedTerminal['perform'] = (act) => {
    const problem = problemsOfAct(act)[0];
    if (problem) throw new Error(`perform: ${problem.path || 'the act'} ${problem.message}`);
    if (act.act === 'present-card' && !cardNamed(act.card)) {
      throw new Error(`perform: ${unknownCardMessage(act.card)}`);
    }
    const reply = terminal.perform(act);
    if (act.act === 'control' && !reply.ok) throw new Error(`perform: ${reply.problem}`);
    return reply;
  };
  return Object.create(terminal, { perform: { value: perform } }) as SimulatedTerminal;
}
