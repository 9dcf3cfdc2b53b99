/** An encoder of jsbarcode, whose own types are those of its drawing alone. */
interface BarCodeEncoder {
  readonly data: string;
  valid(): boolean;
  encode(): { data: string; text: string };
}

type BarCodeEncoderClass<Encoder = BarCodeEncoder> = new (
  data: string,
  options: { flat?: boolean },
) => Encoder;

declare module 'jsbarcode/bin/barcodes/EAN_UPC/index.js' {
  export const EAN13: BarCodeEncoderClass;
  export const EAN8: BarCodeEncoderClass;
  export const UPC: BarCodeEncoderClass;
  /** `upcA`: the twelve digits that its six stand for. */
  export const UPCE: BarCodeEncoderClass<BarCodeEncoder & { readonly upcA: string }>;
}

declare module 'jsbarcode/bin/barcodes/CODE39/index.js' {
  export const CODE39: BarCodeEncoderClass;
}

declare module 'jsbarcode/bin/barcodes/ITF/index.js' {
  export const ITF: BarCodeEncoderClass;
}

declare module 'jsbarcode/bin/barcodes/codabar/index.js' {
  export const codabar: BarCodeEncoderClass;
}

declare module 'jsbarcode/bin/barcodes/CODE93/index.js' {
  export const CODE93: BarCodeEncoderClass;
}

declare module 'jsbarcode/bin/barcodes/CODE128/index.js' {
  export const CODE128A: BarCodeEncoderClass;
  export const CODE128B: BarCodeEncoderClass;
  export const CODE128C: BarCodeEncoderClass;
}
