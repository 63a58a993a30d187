import type { Font } from 'fontkit';
import LineBreaker from 'linebreak';
import { type Cluster, clustersOf } from './clusters.ts';
import type { Face } from './font-faces.ts';
import type { Weight } from './font-families.ts';
import { inVisualOrder, mirrored } from './visual-order.ts';

/** The options for dividing a text into lines. */
export interface Style {
  size: number;
  weight: Weight;
  /** The preferred family. Several families have the same characters, in the forms of different countries. */
  family?: string | undefined;
}

/** Neighbouring glyphs of one font file, from left to right. */
interface Run {
  face: Face;
  /** The characters in reading order, also in Arabic and Hebrew. For these, the font draws them from the right. */
  text: string;
  width: number;
}

export interface Line {
  runs: readonly Run[];
  width: number;
}

/** Breaks a text into lines no wider than `width`, where its language allows it. A word is broken only if necessary. */
export function setText(text: string, style: Style, width = Number.POSITIVE_INFINITY): Line[] {
  const clusters = clustersOf(text, style.weight, style.family);
  const lines: Draft[] = [];
  for (const word of words(clusters)) addWord(lines, word, style, width);
  return lines.map((line) => setLine(withoutTrailingSpace(line.clusters), style));
}

export const widthOf = (lines: readonly Line[]): number => Math.max(0, ...lines.map((line) => line.width));

/** The pieces between which a line may end. */
function words(clusters: readonly Cluster[]): Cluster[][] {
  const ends = lineEnds(clusters.map((cluster) => cluster.text).join(''));
  const found: Cluster[][] = [[]];
  let offset = 0;
  for (const cluster of clusters) {
    found.at(-1)?.push(cluster);
    offset += cluster.text.length;
    if (ends.has(offset)) found.push([]);
  }
  return found.filter((word) => word.length > 0);
}

const dictionary = new Intl.Segmenter('th', { granularity: 'word' });
/** Two letters of a script that has no spaces between words. */
const unspaced = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{2}$/u;

/** The positions at which a line may end (UAX #14). Where words have no spaces, a dictionary finds them. */
function lineEnds(text: string): ReadonlySet<number> {
  const ends = new Set<number>();
  const breaker = new LineBreaker(text);
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) ends.add(next.position);
  for (const { index } of dictionary.segment(text))
    if (unspaced.test(text.slice(index - 1, index + 1))) ends.add(index);
  return ends;
}

/** A line that is being filled, with the width of its words. */
interface Draft {
  clusters: Cluster[];
  width: number;
}

function addWord(lines: Draft[], word: readonly Cluster[], style: Style, most: number): void {
  const width = setLine(word, style).width;
  const shown = setLine(withoutTrailingSpace(word), style).width;
  const line = lines.at(-1);
  if (line && (line.width + shown <= most || fitsBarely(line, word, style, most))) extend(line, word, width);
  else if (shown <= most || word.length === 1) lines.push({ clusters: [...word], width });
  else for (const cluster of word) addWord(lines, [cluster], style, most);
}

/**
 * Whether a word still fits into a line. Neighbouring words together are a little narrower than separately, which
 * matters if there is little space.
 */
const fitsBarely = (line: Draft, word: readonly Cluster[], style: Style, most: number): boolean =>
  line.width + setLine(word, style).width <= most * tight &&
  setLine(withoutTrailingSpace([...line.clusters, ...word]), style).width <= most;

const tight = 1.04;

function extend(line: Draft, word: readonly Cluster[], width: number): void {
  line.clusters.push(...word);
  line.width += width;
}

/** Removes spaces at the end of a line, because they have no width there. */
function withoutTrailingSpace(clusters: readonly Cluster[]): readonly Cluster[] {
  const last = clusters.findLastIndex(({ text }) => text !== ' ');
  return clusters.slice(0, last + 1);
}

function setLine(clusters: readonly Cluster[], style: Style): Line {
  const runs = groupRuns(inVisualOrder(clusters)).map((group) => setRun(group, style));
  return { runs, width: runs.reduce((sum, { width }) => sum + width, 0) };
}

const rightToLeftScript = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * Whether the font itself reverses a cluster. If not, punctuation among right-to-left letters is reversed and mirrored
 * here.
 */
const turnsItself = ({ text, level }: Cluster): boolean => level % 2 === 1 && rightToLeftScript.test(text);

function groupRuns(visual: readonly Cluster[]): Cluster[][] {
  const groups: Cluster[][] = [];
  for (const cluster of visual) {
    const group = groups.at(-1);
    const [neighbour] = group ?? [];
    if (group && neighbour?.face === cluster.face && turnsItself(neighbour) === turnsItself(cluster))
      group.push(cluster);
    else groups.push([cluster]);
  }
  return groups;
}

function setRun(group: readonly Cluster[], { size }: Style): Run {
  const { face, ...first } = group[0] as Cluster;
  const ordered = turnsItself({ face, ...first }) ? group.toReversed() : group;
  const text = ordered.map(mirrored).join('').replace(vowelAm, '\u0E4D$1\u0E32');
  return { face, text, width: (advanceOf(face.font, text) * size) / face.font.unitsPerEm };
}

/**
 * The Thai vowel `ำ`, with the tone mark before it. Its ring is drawn below the mark only if it is written before the
 * mark, and it can be copied only if its two parts are written separately.
 */
const vowelAm = /([\u0E48-\u0E4B]?)\u0E33/g;

/** Widths of texts that were already measured. Labels, amounts and starts of lines occur several times. */
const advances = new WeakMap<Font, Map<string, number>>();
const mostRemembered = 5_000;

function advanceOf(font: Font, text: string): number {
  const known = advances.get(font) ?? new Map<string, number>();
  const advance = known.get(text) ?? font.layout(text, []).advanceWidth;
  if (known.size >= mostRemembered) known.clear();
  advances.set(font, known.set(text, advance));
  return advance;
}
