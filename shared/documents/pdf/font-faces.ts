import { create, type Font } from 'fontkit';
import * as z from 'zod';
import { readPackagedFile } from '../../pages/packaged-file.ts';
import type { FontFamily, Weight } from './font-families.ts';
import { unpackWoff } from './woff.ts';

/** One font file of a family. */
export interface Face {
  /** The name of the font file, such as `noto-sans-latin-400`. */
  key: string;
  font: Font;
}

interface Range {
  from: number;
  to: number;
  subset: string;
}

const readFont = (path: string): Buffer => readPackagedFile(`@fontsource/${path}`);

const files = new Map<string, Buffer>();
const faces = new Map<string, Face>();
const known = new Map<string, Blocks>();

/**
 * Removes the loaded fonts before a new document. For each glyph, fontkit remembers the first character that it drew,
 * such as a space or a no-break space. With used fonts, text that is copied from the PDF would depend on earlier
 * documents.
 */
export const freshFaces = (): void => faces.clear();

/** The font file of a subset. Its bytes are read on first use and cached. */
function loadFace({ name, weights }: FontFamily, subset: string, wanted: Weight): Face {
  const weight = weights.includes(wanted) ? wanted : weights[0];
  const key = `${name}-${subset}-${weight}`;
  const loaded = faces.get(key);
  if (loaded) return loaded;
  const file = files.get(key) ?? unpackWoff(readFont(`${name}/files/${key}-normal.woff`));
  files.set(key, file);
  const face = { key, font: create(file) };
  faces.set(key, face);
  return face;
}

/** Groups ranges by block of 256 characters, so that each character is compared with few ranges. */
type Blocks = ReadonlyMap<number, readonly Range[]>;

const blockOf = (codePoint: number): number => codePoint >> 8;

function rangesAt({ name }: FontFamily, codePoint: number): readonly Range[] {
  const blocks = known.get(name) ?? readRanges(name);
  known.set(name, blocks);
  const near = blocks.get(blockOf(codePoint)) ?? blocks.get(everywhere) ?? [];
  return near.filter(({ from, to }) => from <= codePoint && codePoint <= to);
}

/** The number of the only block of a family without subsets. */
const everywhere = -1;

function readRanges(name: string): Blocks {
  const subsets = z.record(z.string(), z.string()).parse(JSON.parse(readFont(`${name}/unicode.json`).toString()));
  const ranges = Object.entries(subsets).flatMap(([subset, list]) => parseRanges(list, subset.replace(/^\[|\]$/g, '')));
  if (ranges.length === 0) return new Map([[everywhere, [{ from: 0, to: 0x10_ff_ff, subset: 'latin' }]]]);
  const blocks = new Map<number, Range[]>();
  for (const range of ranges)
    for (let block = blockOf(range.from); block <= blockOf(range.to); block += 1)
      blocks.set(block, [...(blocks.get(block) ?? []), range]);
  return blocks;
}

/** Parses a list of ranges, such as `U+0102-0103,U+0110`. */
const parseRanges = (list: string, subset: string): Range[] =>
  list.split(',').map((range) => {
    const [from = '', to = from] = range.replace('U+', '').split('-');
    return { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16), subset };
  });

/** Whether a character may be left out. Such characters join others, or choose between the two forms of an emoji. */
export const isOptional = (character: string): boolean => /^(?:\u200C|\u200D|[\uFE00-\uFE0F])$/.test(character);

/** The font file of a family that contains every part of a visible character. */
export function findFace(family: FontFamily, cluster: string, weight: Weight): Face | undefined {
  const needed = [...cluster].filter((character) => !isOptional(character)).map((c) => c.codePointAt(0) ?? 0);
  const [first = 0] = needed;
  return rangesAt(family, first)
    .map(({ subset }) => loadFace(family, subset, weight))
    .find(({ font }) => needed.every((codePoint) => font.hasGlyphForCodePoint(codePoint)));
}
