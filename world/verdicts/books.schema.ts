import { Type } from '../../protocol/schema.ts';

/** What the books of a shop say, as it prints or serves them. */
export const Books = Type.Object({
  orders: Type.Array(
    Type.Object({
      orderId: Type.String(),
      paid: Type.Boolean(),
      amount: Type.Integer(),
      refunded: Type.Optional(Type.Integer()),
      cancelled: Type.Optional(Type.Boolean()),
    }),
  ),
});
