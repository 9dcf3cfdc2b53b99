/** Bodies that the API takes, for tests to spoil. */
export const address = { lineOne: '1 High St', city: 'Leeds', country: 'GB', postalCode: 'LS1 1AA' };

export const business = {
  name: 'Corner Goods',
  type: 'PrivateCompany',
  registrationNumber: '01234567',
  registeredAddress: address,
  contactEmail: 'office@corner.example',
};

export const individual = {
  firstName: 'Ana',
  lastName: 'Reid',
  email: 'ana@corner.example',
  dateOfBirth: '1990-04-01',
  gender: 'Female',
  nationalities: ['GB'],
  address,
};

export const person = {
  ...individual,
  phoneNumber: '+447700900123',
  businessRoles: ['Director'],
};

export const everyRole = ['BusinessContact', 'Director', 'UltimateBeneficialOwner'];
