import { message } from '../message.ts';
import { Id, Type } from '../schema.ts';
import { ActionStatus } from './action.messages.ts';

export const MachineDescribed = message({
  name: 'machine.described',
  audience: 'terminals',
  channel: 'reports',
  qos: 1,
  retain: true,
  summary: 'The shape of the action machine, so that the server can draw it without knowing it.',
  body: Type.Object({
    machineId: Type.String(),
    definition: Type.Unknown({ description: 'The JSON definition of the XState machine' }),
  }),
});

export const MachineStepped = message({
  name: 'machine.stepped',
  audience: 'terminals',
  channel: 'reports',
  qos: 0,
  retain: false,
  summary: 'The machine took a step.',
  body: Type.Object({
    actionId: Id('action'),
    event: Type.String(),
    state: Type.String({ description: 'Dotted path of the active state' }),
    status: ActionStatus,
    deadlineMs: Type.Union([Type.Integer(), Type.Null()]),
    atMs: Type.Integer(),
  }),
});
