import type { ExampleRows } from './example-row.ts';
import { FAULT_ROWS } from './fault-rows.ts';
import { OBJECT_ROWS } from './object-rows.ts';
import { PAYMENT_ROWS } from './payment-rows.ts';
import { RECORDING_ROWS } from './recording-rows.ts';
import { SERVER_ROWS } from './server-rows.ts';
import { TERMINAL_ROWS } from './terminal-rows.ts';
import { WEBHOOK_ROWS } from './webhook-rows.ts';

/** The rows of all examples, by the test file that runs them. */
export const AREAS = {
  faults: FAULT_ROWS,
  objects: OBJECT_ROWS,
  payments: PAYMENT_ROWS,
  recordings: RECORDING_ROWS,
  server: SERVER_ROWS,
  terminals: TERMINAL_ROWS,
  webhooks: WEBHOOK_ROWS,
} satisfies Record<string, ExampleRows>;
