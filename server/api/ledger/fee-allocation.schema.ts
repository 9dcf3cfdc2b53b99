import { Id, Type, withDescription, type Static } from '../../../protocol/schema.ts';

const BookTo = Type.Object({
  bookTo: Id('account', 'Unique identifier of the account that pays this part of the processing fee'),
});

/** Which account pays each part of the processing cost; `combined` goes before the others. */
export const FeeAllocation = Type.Object(
  {
    interchange: Type.Optional(
      withDescription(BookTo, 'Interchange fee, which goes to the bank of the cardholder'),
    ),
    network: Type.Optional(withDescription(BookTo, 'Fee of the card scheme')),
    processor: Type.Optional(withDescription(BookTo, 'Fee of the processor')),
    gateway: Type.Optional(withDescription(BookTo, 'Fee of the gateway')),
    miscPassThrough: Type.Optional(withDescription(BookTo, 'All other parts of the processing fee')),
    combined: Type.Optional(withDescription(BookTo, 'The whole processing fee; overrides the single parts')),
  },
  { title: 'FeeAllocation', description: 'Which account pays each part of the processing fee' },
);
export type FeeAllocation = Static<typeof FeeAllocation>;
