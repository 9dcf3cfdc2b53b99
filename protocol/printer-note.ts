/**
 * What the note of a frame on the line of the receipt printer begins with. It tells these frames from those of the reader, in
 * `reader.traced`.
 */
export const PRINTER_NOTE = 'receipt printer, ';
