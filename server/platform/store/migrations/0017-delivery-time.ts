/** When each delivery last changed; until now its event had the time of the last change of any of its deliveries. */
export const deliveryTime: readonly string[] = [
  `ALTER TABLE deliveries ADD COLUMN updated_ms BIGINT NOT NULL DEFAULT 0`,
];
