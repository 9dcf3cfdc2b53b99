/** The shop without the mistakes: `node examples/shop/right/shop.js`. */
import { start } from '../start.js';
import { openPayments } from './payments.js';

await start(openPayments);
