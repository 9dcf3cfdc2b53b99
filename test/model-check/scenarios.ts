/** What one check explores: the payment, the device and what its cardholder may do. */
export interface Scenario {
  name: string;
  type: 'Payment' | 'Refund';
  receiptSource: 'Terminal' | 'PointOfSale';
  /** What the reader may report, by what it does. */
  card: 'tapped' | 'inserted' | 'own bank' | 'device alone';
  /** How many actions the point of sale starts, one after the other. */
  actions: number;
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'a payment with a tapped card, printed by the terminal',
    type: 'Payment',
    receiptSource: 'Terminal',
    card: 'tapped',
    actions: 1,
  },
  {
    name: 'a payment with a tapped card, printed by the point of sale',
    type: 'Payment',
    receiptSource: 'PointOfSale',
    card: 'tapped',
    actions: 1,
  },
  {
    name: 'a payment with an inserted card and a PIN',
    type: 'Payment',
    receiptSource: 'Terminal',
    card: 'inserted',
    actions: 1,
  },
  {
    name: 'a payment on a terminal with its own bank',
    type: 'Payment',
    receiptSource: 'Terminal',
    card: 'own bank',
    actions: 1,
  },
  {
    name: 'a refund, printed by the terminal',
    type: 'Refund',
    receiptSource: 'Terminal',
    card: 'tapped',
    actions: 1,
  },
  {
    name: 'a refund, printed by the point of sale',
    type: 'Refund',
    receiptSource: 'PointOfSale',
    card: 'tapped',
    actions: 1,
  },
  {
    name: 'two payments, one after the other',
    type: 'Payment',
    receiptSource: 'Terminal',
    card: 'tapped',
    actions: 2,
  },
  {
    name: 'a payment on a payment terminal that cannot be asked',
    type: 'Payment',
    receiptSource: 'Terminal',
    card: 'device alone',
    actions: 1,
  },
  {
    name: 'a refund on a payment terminal that cannot be asked, printed by the point of sale',
    type: 'Refund',
    receiptSource: 'PointOfSale',
    card: 'device alone',
    actions: 1,
  },
];
