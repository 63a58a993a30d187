export type Weight = 400 | 700;

/**
 * A font in a package of its own. It is split into files by characters: `files/<name>-<subset>-<weight>-normal.woff`.
 * Its `unicode.json` lists the characters of each subset.
 */
export interface FontFamily {
  /** The name in `@fontsource/<name>`. */
  name: string;
  weights: readonly Weight[];
  /**
   * Whether the font has Chinese, Japanese or Korean characters. Several families have them, each in the forms of one
   * country.
   */
  isEastAsian?: true;
}

/**
 * The fonts, in the order in which they are searched for a character. The last one draws every character of the basic
 * plane with pixels, so every name can be read.
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
