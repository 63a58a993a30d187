import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Counts the source files that a change touches, by the words that stand in each of them:
 * `node test/architecture/places.ts "minimum_?net"`. Without a word, it counts the examples below.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = ['shared', 'functions', 'infra'];
const written = ['.ts', '.js', '.css', '.json'];

interface Example {
  change: string;
  word: string;
  /** The most files that the change may touch. */
  target: number;
}

/** What is added most often, by something of that kind which is already there. */
export const examples: readonly Example[] = [
  { change: 'a field on a product, with all languages', word: 'minimum_?net', target: 8 },
  {
    change: 'a page of the dashboard',
    word: String.raw`dashboard/mails|mails?-?pages?\b|mailsTexts`,
    target: 8,
  },
  { change: 'a type of event on an old subject', word: String.raw`refund\.failed`, target: 5 },
  { change: 'a processor, beside its folder', word: String.raw`'\./stripe/|on\('POST /processor/stripe`, target: 2 },
];

const isSource = (path: string): boolean => written.includes(extname(path)) && !/\/built\.ts$/.test(path);

/** The source files in which a word stands. Tests, documents and generated files are not counted. */
export function filesWith(word: string): string[] {
  const pattern = new RegExp(word, 'i');
  return sources
    .flatMap((folder) => readdirSync(`${root}/${folder}`, { recursive: true }).map((path) => `${folder}/${path}`))
    .filter((path) => isSource(path) && pattern.test(readFileSync(`${root}/${path}`, 'utf8')))
    .sort();
}

function print(change: string, word: string, beside = ''): void {
  const places = filesWith(word);
  console.log(`${change}: ${places.length} files${beside}`);
  for (const path of places) console.log(`  ${path}`);
}

if (import.meta.main) {
  const [, , chosen] = process.argv;
  if (chosen !== undefined) print(chosen, chosen);
  else for (const { change, word, target } of examples) print(change, word, ` (target: ${target})`);
}
