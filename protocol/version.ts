/** The version of this package, as its package.json says too; a test holds the two together. */
export const VERSION = '0.1.0';
