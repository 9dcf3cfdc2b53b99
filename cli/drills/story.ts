// oxlint-disable-next-line no-explicit-any -- replies of the API
export type Json = any;

/** Who does what a line of the story tells. */
export type Teller = 'shop' | 'customer' | 'fault' | 'terminal' | 'books' | 'time';

/** A line of the story. */
export interface Step {
  who: Teller;
  text: string;
}
