/** Finds the few deliveries that a fault holds back until the next event, by their result. */
export const heldDeliveries: readonly string[] = [
  `CREATE INDEX deliveries_held ON deliveries (last_status, seq)
   WHERE last_status = 'put off by a fault until after the next event'`,
];
