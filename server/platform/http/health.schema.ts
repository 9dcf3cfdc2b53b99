import { Type } from '../../../protocol/schema.ts';

export const Health = Type.Object(
  { status: Type.Literal('ok'), store: Type.Literal('ok'), broker: Type.Literal('ok') },
  { title: 'Health' },
);
