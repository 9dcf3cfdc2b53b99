/** The page of the till. */

const PRODUCTS = [
  { title: 'Coffee', price: 280 },
  { title: 'Tea', price: 220 },
  { title: 'Croissant', price: 240 },
  { title: 'Sandwich', price: 550 },
  { title: 'Cake', price: 390 },
  { title: 'Juice', price: 310 },
];
const STATUSES = {
  paying: 'At the terminal',
  paid: 'Paid',
  failed: 'Not paid',
  cancelled: 'Cancelled',
  refunding: 'Refund at the terminal',
  refunded: 'Refunded',
};
/** What the cashier can do with an order of each status. */
const ACTIONS = {
  paying: { verb: 'cancel', title: 'Cancel' },
  paid: { verb: 'refund', title: 'Refund' },
  failed: { verb: 'pay', title: 'Pay again' },
  cancelled: { verb: 'pay', title: 'Pay again' },
  refunding: { verb: 'cancel', title: 'Cancel' },
};
const LOOK_AGAIN_MS = 1000;

const $ = (id) => document.getElementById(id);
const pounds = (amount) => `£${(amount / 100).toFixed(2)}`;

/** @type {Map<string, { price: number, count: number }>} */
const basket = new Map();
// Whether the shop has not answered yet about the basket.
let isPaying = false;
// It is kept until the shop has answered, so that an order that is sent again is the same one.
let orderId = newOrderId();

function newOrderId() {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function button(id, title, label, onclick, className = 'quiet') {
  const made = element('button', { id, type: 'button', textContent: title, onclick, className });
  made.ariaLabel = label;
  return made;
}

/** Shows other children, with the focus on the button that had it. */
function replaceIn(list, children) {
  const { id } = document.activeElement;
  $(list).replaceChildren(...children);
  if (id) $(id)?.focus();
}

function add(title, price, count = 1) {
  const line = basket.get(title) ?? { price, count: 0 };
  if (line.count + count > 0) basket.set(title, { price, count: line.count + count });
  else basket.delete(title);
  showBasket();
}

const total = () => [...basket.values()].reduce((sum, { price, count }) => sum + price * count, 0);

function showBasket() {
  const lines = [...basket].map(([title, { price, count }]) =>
    element(
      'li',
      {},
      element('span', { textContent: `${count} × ${title}` }),
      element('span', { className: 'amount', textContent: pounds(price * count) }),
      button(`less-${title}`, '−', `One ${title} less`, () => add(title, price, -1)),
    ),
  );
  replaceIn('basket', lines);
  $('basket-empty').hidden = lines.length > 0;
  $('total').textContent = pounds(total());
  $('pay').disabled = isPaying || total() === 0;
}

/** Calls the shop. @throws Error with what it says */
async function call(path, body) {
  const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  const response = await fetch(path, body === undefined ? {} : options);
  const reply = await response.json();
  if (!response.ok) throw new Error(reply.message);
  return reply;
}

/** Does something for the cashier, and says why when it does not work. */
async function act(work) {
  $('problem').textContent = '';
  try {
    await work();
  } catch (thrown) {
    $('problem').textContent =
      thrown instanceof TypeError ? 'The shop does not answer. Try again.' : thrown.message;
  }
  await showOrders();
}

async function pay() {
  const sold = [...basket].map(([title, line]) => ({ title, ...line }));
  const description = sold.map(({ title, count }) => `${count} × ${title}`).join(', ');
  isPaying = true;
  showBasket();
  try {
    await call('/orders', JSON.stringify({ orderId, amount: total(), description }));
    orderId = newOrderId();
    // What was added since then is for the next order.
    for (const { title, price, count } of sold) add(title, price, -count);
  } finally {
    isPaying = false;
    showBasket();
  }
}

function orderLine(order) {
  const { amount, description, status, reason, cancel } = order;
  const isCancelling = cancel === 'asked';
  const words = isCancelling ? 'Cancelling' : STATUSES[status];
  const action = isCancelling ? undefined : ACTIONS[status];
  const line = element(
    'li',
    { className: status },
    element('span', { className: 'what', textContent: description || 'Order' }),
    element('span', { className: 'amount', textContent: pounds(amount) }),
    element('span', { className: 'status', textContent: words }),
  );
  if (reason && !isCancelling && status !== 'cancelled')
    line.append(element('span', { className: 'reason', textContent: reason.replaceAll('_', ' ') }));
  if (action) {
    const send = () => act(() => call(`/orders/${order.orderId}/${action.verb}`, '{}'));
    const label = `${action.title}: ${description || 'Order'}, ${pounds(amount)}`;
    line.append(button(`order-${order.orderId}`, action.title, label, send));
  }
  return line;
}

let shown = '';
async function showOrders() {
  const { orders } = await call('/orders').catch(() => ({ orders: undefined }));
  // A list that is the same keeps its focus.
  if (!orders || shown === JSON.stringify(orders)) return;
  shown = JSON.stringify(orders);
  replaceIn('orders', orders.map(orderLine));
  $('orders-empty').hidden = orders.length > 0;
}

$('products').replaceChildren(
  ...PRODUCTS.map(({ title, price }) => {
    const product = button(
      `product-${title}`,
      '',
      `${title}, ${pounds(price)}`,
      () => add(title, price),
      'product',
    );
    product.append(element('b', { textContent: title }), element('span', { textContent: pounds(price) }));
    return element('li', {}, product);
  }),
);
$('other').addEventListener('submit', (event) => {
  event.preventDefault();
  const field = $('other-amount');
  const isAmount = /^\d{1,4}([.,]\d{1,2})?$/.test(field.value.trim());
  $('problem').textContent = isAmount ? '' : 'Give an amount such as 4.50.';
  if (!isAmount) return field.focus();
  const price = Math.round(Number(field.value.replace(',', '.')) * 100);
  if (price > 0) add(`Other ${pounds(price)}`, price);
  field.value = '';
});
$('pay').addEventListener('click', () => act(pay));
showBasket();
for (;;) {
  await showOrders();
  await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
}
