/** A test card that is approved. */
export const CARD = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2035', cvc: '123' };

/** What an online payment needs besides its amount. */
export const SESSION = {
  currency: 'GBP',
  customerEmail: 'ana@corner.example',
  returnUrl: 'https://shop.example/',
};
