/** The location that the first start creates. */
export const DEFAULT_LOCATION = {
  name: 'Tapbench Shop',
  address: { lineOne: '1 Test Street', city: 'London', country: 'GB', postalCode: 'N1 1AA' },
};
