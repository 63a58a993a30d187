/** Types for the part of fontkit that we use. The package has none. */
declare module 'fontkit' {
  interface Font {
    readonly unitsPerEm: number;
    hasGlyphForCodePoint(codePoint: number): boolean;
    layout(text: string, features: readonly string[]): { advanceWidth: number; glyphs: readonly { id: number }[] };
  }

  export function create(file: Uint8Array): Font;
  export type { Font };
}
