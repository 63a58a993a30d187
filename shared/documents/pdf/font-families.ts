export type Weight = 400 | 700;

/**
 * A font in its own package, split into files by characters: `files/<name>-<subset>-<weight>-normal.woff`, and
 * `unicode.json`, which says which subset has which characters.
 */
export interface FontFamily {
  /** The name in `@fontsource/<name>`. */
  name: string;
  weights: readonly Weight[];
  /**
   * Whether the font has Chinese, Japanese or Korean characters. Several families have them, each in the shapes of one
   * country.
   */
  isEastAsian?: true;
}

/**
 * The fonts in the order in which they are searched for a character. The last one has every character of the basic
 * plane as pixels, so every name is readable.
 */
export const fontFamilies: readonly FontFamily[] = [
  { name: 'noto-sans', weights: [400, 700] },
  { name: 'noto-sans-arabic', weights: [400, 700] },
  { name: 'noto-sans-hebrew', weights: [400, 700] },
  { name: 'noto-sans-thai', weights: [400, 700] },
  { name: 'noto-emoji', weights: [400] },
  { name: 'kosugi', weights: [400], isEastAsian: true },
  { name: 'chocolate-classical-sans', weights: [400], isEastAsian: true },
  { name: 'gowun-dodum', weights: [400], isEastAsian: true },
  { name: 'unifont', weights: [400] },
];
