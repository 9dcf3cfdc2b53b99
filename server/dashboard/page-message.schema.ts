import { Type } from '../../protocol/schema.ts';

/** A message from the page to the server, checked as it arrives: its type is `PageMessage` of `view.ts`. */
export const PageMessage = Type.Union([
  Type.Object({ type: Type.Literal('session'), token: Type.String({ maxLength: 200 }) }),
  Type.Object({
    type: Type.Literal('watch'),
    target: Type.Union([
      Type.Null(),
      Type.Object({
        kind: Type.Enum(['terminal', 'action', 'object']),
        id: Type.String({ maxLength: 100 }),
      }),
    ]),
  }),
]);
