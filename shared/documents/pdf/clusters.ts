import bidiFactory from 'bidi-js';
import { type Face, findFace, isOptional } from './font-faces.ts';
import { type FontFamily, fontFamilies, type Weight } from './font-families.ts';

/** A visible character, with its font file and its bidi level. Odd levels are read from right to left. */
export interface Cluster {
  text: string;
  face: Face;
  level: number;
}

/** The imported module is itself the function. Its types describe a member instead. */
export const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes these characters
const invisible = /[\u0000-\u0008\u000E-\u001F\u007F-\u009F\u00AD\u200B\u202A-\u202E\u2060-\u2065\uFEFF]/g;
/** Invisible marks that set the reading direction of the text around them. */
const directing = /^[\u200E\u200F\u2066-\u2069]$/;

/** Cleans one paragraph of text: removes control characters, except direction marks. */
const cleaned = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(invisible, '')
    .replace(/[\s\u0085]+/g, (space) => (/[\u00A0\u202F]/.test(space) ? '\u00A0' : ' '));

/** Splits a text into visible characters, each with a font file that can draw it. */
export function clustersOf(raw: string, weight: Weight, preferred?: string): Cluster[] {
  const text = cleaned(raw);
  const { levels } = bidi.getEmbeddingLevels(text);
  const order = familiesFor(text, preferred);
  const shown = [...graphemes.segment(text)].filter(({ segment }) => !directing.test(segment));
  return shown.map(({ segment, index }) => ({ ...faceFor(segment, weight, order), level: levels[index] ?? 0 }));
}

/** A font file for a part of the text. A character that no font can draw is replaced by the replacement character. */
function faceFor(segment: string, weight: Weight, order: readonly FontFamily[]): { text: string; face: Face } {
  for (const family of order) {
    const face = findFace(family, segment, weight);
    if (face) return { text: withoutUnknown(segment, face), face };
  }
  const replacement = '\uFFFD';
  const face = findFace(order.at(-1) as FontFamily, replacement, weight);
  if (!face) throw new Error('No font has the sign for an unknown character.');
  return { text: replacement, face };
}

const withoutUnknown = (segment: string, { font }: Face): string =>
  [...segment].filter((c) => !isOptional(c) || font.hasGlyphForCodePoint(c.codePointAt(0) ?? 0)).join('');

const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/**
 * Chooses one font for a whole name. Of the fonts with Chinese characters, the one that has most characters of the text
 * comes first. If several have the same number, the preferred one comes first.
 */
function familiesFor(text: string, preferred?: string): readonly FontFamily[] {
  const characters = text.match(eastAsian) ?? [];
  if (characters.length === 0) return fontFamilies;
  const covered = (family: FontFamily): number =>
    family.isEastAsian ? characters.filter((character) => findFace(family, character, 400)).length : 0;
  const counts = new Map(
    fontFamilies.map((family) => [family, covered(family) + (family.name === preferred ? 0.5 : 0)]),
  );
  return [...fontFamilies].sort((a, b) =>
    a.isEastAsian && b.isEastAsian ? (counts.get(b) ?? 0) - (counts.get(a) ?? 0) : 0,
  );
}
