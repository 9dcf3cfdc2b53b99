/** The shop with the mistakes: `node examples/shop/wrong/shop.js`. */
import { start } from '../start.js';
import { openPayments } from './payments.js';

await start(openPayments);
