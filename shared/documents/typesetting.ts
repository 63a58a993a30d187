import bidiFactory from 'bidi-js';
import LineBreaker from 'linebreak';
import { type Face, findFace, isOptional } from './font-faces.ts';
import { type FontFamily, fontFamilies, type Weight } from './font-families.ts';

/** How a text is set. */
export interface Style {
  size: number;
  weight: Weight;
}

/** Glyphs of one file that stand beside each other, from left to right. */
export interface Run {
  face: Face;
  /** In reading order: the font turns a text around that is read from the right. */
  text: string;
  width: number;
}

export interface Line {
  runs: readonly Run[];
  width: number;
}

/** What the reader takes for one character, with its file and its level: odd ones are read from the right. */
interface Cluster {
  text: string;
  start: number;
  face: Face;
  level: number;
}

/** The module is the factory itself; its types believe it to be a member. */
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const invisible = /[\u0000-\u0008\u000E-\u001F\u007F-\u009F\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;

/** One paragraph of well-formed text that only shows itself: no control of any kind is left in it. */
const cleaned = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\s\u0085]+/g, (space) => (/[\u00A0\u202F]/.test(space) ? '\u00A0' : ' '))
    .replace(invisible, '');

/** Breaks a text into lines no wider than `width`, wherever its language allows, and inside of a word only where it must. */
export function setText(text: string, style: Style, width = Number.POSITIVE_INFINITY): Line[] {
  const clusters = clustersOf(cleaned(text), style.weight);
  const lines: Draft[] = [];
  for (const word of words(clusters)) addWord(lines, word, style, width);
  return lines.map((line) => setLine(withoutTrailingSpace(line.clusters), style));
}

export const widthOf = (lines: readonly Line[]): number => Math.max(0, ...lines.map((line) => line.width));

function clustersOf(text: string, weight: Weight): Cluster[] {
  const { levels } = bidi.getEmbeddingLevels(text);
  const order = familiesFor(text);
  return [...graphemes.segment(text)].map(({ segment, index }) => ({
    ...faceFor(segment, weight, order),
    start: index,
    level: levels[index] ?? 0,
  }));
}

/** Undrawable characters become the sign for one. */
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

/** One name is set in one font: of those with Chinese characters, the one that has the most of a text comes first. */
function familiesFor(text: string): readonly FontFamily[] {
  const characters = text.match(eastAsian) ?? [];
  if (characters.length === 0) return fontFamilies;
  const covered = (family: FontFamily): number =>
    family.isEastAsian ? characters.filter((character) => findFace(family, character, 400)).length : 0;
  const counts = new Map(fontFamilies.map((family) => [family, covered(family)]));
  return [...fontFamilies].sort((a, b) =>
    a.isEastAsian && b.isEastAsian ? (counts.get(b) ?? 0) - (counts.get(a) ?? 0) : 0,
  );
}

/** The pieces between which a line may end (UAX #14). */
function words(clusters: readonly Cluster[]): Cluster[][] {
  const text = clusters.map((cluster) => cluster.text).join('');
  const breaker = new LineBreaker(text);
  const found: Cluster[][] = [];
  let [index, offset] = [0, 0];
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    const word: Cluster[] = [];
    for (; index < clusters.length && offset < next.position; index += 1) {
      const cluster = clusters[index] as Cluster;
      word.push(cluster);
      offset += cluster.text.length;
    }
    if (word.length > 0) found.push(word);
  }
  return found;
}

/** A line in the making, with the width of its words. */
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

/** Words that stand beside each other are a little narrower than each by itself; that is worth a look where it is tight. */
const fitsBarely = (line: Draft, word: readonly Cluster[], style: Style, most: number): boolean =>
  line.width + setLine(word, style).width <= most * tight &&
  setLine(withoutTrailingSpace([...line.clusters, ...word]), style).width <= most;

const tight = 1.04;

function extend(line: Draft, word: readonly Cluster[], width: number): void {
  line.clusters.push(...word);
  line.width += width;
}

/** Spaces at the end of a line take no room. */
function withoutTrailingSpace(clusters: readonly Cluster[]): readonly Cluster[] {
  const last = clusters.findLastIndex(({ text }) => text !== ' ');
  return clusters.slice(0, last + 1);
}

function setLine(clusters: readonly Cluster[], style: Style): Line {
  const runs = groupRuns(inVisualOrder(clusters)).map((group) => setRun(group, style));
  return { runs, width: runs.reduce((sum, { width }) => sum + width, 0) };
}

/** Rule L2 of the bidirectional algorithm: from the highest level down, every sequence of that level or higher is turned around. */
function inVisualOrder(clusters: readonly Cluster[]): readonly Cluster[] {
  const highest = Math.max(0, ...clusters.map(({ level }) => level));
  let ordered = [...clusters];
  for (let level = highest; level > 0; level -= 1) ordered = reverseSequences(ordered, level);
  return ordered;
}

function reverseSequences(clusters: readonly Cluster[], level: number): Cluster[] {
  const turned: Cluster[] = [];
  let sequence: Cluster[] = [];
  for (const cluster of clusters) {
    if (cluster.level >= level) sequence.unshift(cluster);
    else {
      turned.push(...sequence, cluster);
      sequence = [];
    }
  }
  return [...turned, ...sequence];
}

const rightToLeftScript = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Whether the font turns it around; punctuation among such letters is turned, and mirrored, here. */
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
  const text = ordered.map(mirrored).join('');
  return { face, text, width: (face.font.layout(text, []).advanceWidth * size) / face.font.unitsPerEm };
}

const mirrored = (cluster: Cluster): string =>
  cluster.level % 2 === 1 ? (bidi.getMirroredCharacter(cluster.text) ?? cluster.text) : cluster.text;
