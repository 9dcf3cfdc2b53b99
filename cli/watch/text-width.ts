import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Pads `text` to exactly `columns` columns of a text screen, or cuts it and ends it with `…`. */
export function fitToWidth(text: string, columns: number): string {
  const width = stringWidth(text);
  if (width <= columns) return text + ' '.repeat(columns - width);
  if (columns < 1) return '';
  let kept = '';
  let left = columns - 1;
  for (const { segment } of segmenter.segment(text)) {
    const segmentWidth = stringWidth(segment);
    if (segmentWidth > left) break;
    left -= segmentWidth;
    kept += segment;
  }
  return `${kept}…${' '.repeat(left)}`;
}

/** Returns how many columns of a text screen `text` takes. */
export function columnsOf(text: string): number {
  return stringWidth(text);
}
