/** What we use of fontkit, which has no types of its own. */
declare module 'fontkit' {
  interface Font {
    readonly unitsPerEm: number;
    hasGlyphForCodePoint(codePoint: number): boolean;
    layout(text: string, features: readonly string[]): { advanceWidth: number; glyphs: readonly { id: number }[] };
  }

  export function create(file: Uint8Array): Font;
  export type { Font };
}
