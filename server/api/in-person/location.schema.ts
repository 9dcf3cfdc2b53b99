import {
  CountryCode,
  CreatedTimestamp,
  Id,
  LastUpdatedTimestamp,
  Metadata,
  Nullable,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';

const METADATA_MAX = 10; // Spec §2.1

/** Address of a shop: Spec §2.7. */
const LocationAddress = Type.Object(
  {
    lineOne: Type.String({ minLength: 1, maxLength: 80, description: 'Street and house number' }),
    lineTwo: Type.Optional(
      Nullable(
        Type.String({ minLength: 1, maxLength: 80 }),
        'Second line of the address; null when there is none',
      ),
    ),
    city: Type.String({ minLength: 2, maxLength: 50, description: 'City or town' }),
    country: CountryCode,
    postalCode: Type.String({ minLength: 2, maxLength: 16, description: 'Postal code or ZIP code' }),
    region: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 80,
        }),
        'State, province or county; null when there is none. Required for US and CA, as the two-letter code of the state or province.',
      ),
    ),
  },
  { title: 'LocationAddress', description: 'Address of a location' },
);

const GeoCoordinates = Type.Object({
  latitude: Type.Number({
    minimum: -90,
    maximum: 90,
    description: 'Latitude in degrees, positive to the north',
  }),
  longitude: Type.Number({
    minimum: -180,
    maximum: 180,
    description: 'Longitude in degrees, positive to the east',
  }),
});

/** A location of terminals: Spec §2.7. */
export const Location = Type.Object(
  {
    id: Id('location'),
    name: Type.String({ minLength: 5, maxLength: 50, description: 'Name of the location' }),
    address: LocationAddress,
    geoCoordinates: Nullable(GeoCoordinates, 'Position of the location on a map; null when not given'),
    metadata: Metadata(METADATA_MAX),
    createdTimestamp: CreatedTimestamp,
    lastUpdatedTimestamp: LastUpdatedTimestamp,
  },
  { title: 'Location', description: 'A place where terminals are used' },
);
export type Location = Static<typeof Location>;

export const LocationCreate = Type.Object({
  name: Location.properties.name,
  address: LocationAddress,
  geoCoordinates: Type.Optional(withDescription(GeoCoordinates, 'Position of the location on a map')),
  metadata: Type.Optional(Metadata(METADATA_MAX)),
});

/** Update of name and metadata. The address cannot change: another address is another location (Spec §4.11). */
export const LocationUpdate = Type.Object({
  name: Type.Optional(Location.properties.name),
  metadata: Type.Optional(Metadata(METADATA_MAX)),
});
