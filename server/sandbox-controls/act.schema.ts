import { Simulated } from '../../protocol/messages/sandbox.messages.ts';
import { Id, Type } from '../../protocol/schema.ts';

/** A simulated terminal after an act. */
export const SimulatedTerminal = Type.Object(
  { id: Id('terminal'), ...Simulated.body.properties.terminal.properties },
  { title: 'SimulatedTerminal', description: 'State of a simulated terminal' },
);
