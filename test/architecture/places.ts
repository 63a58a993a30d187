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

/** What is added most often, by something of that kind which is already there. */
const examples = [
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
function placesOf(word: string): string[] {
  const pattern = new RegExp(word, 'i');
  return sources
    .flatMap((folder) => readdirSync(`${root}/${folder}`, { recursive: true }).map((path) => `${folder}/${path}`))
    .filter((path) => isSource(path) && pattern.test(readFileSync(`${root}/${path}`, 'utf8')))
    .sort();
}

const [, , chosen] = process.argv;
const changes = chosen === undefined ? examples : [{ change: chosen, word: chosen, target: undefined }];
for (const { change, word, target } of changes) {
  const places = placesOf(word);
  const beside = target === undefined ? '' : ` (target: ${target})`;
  console.log(`${change}: ${places.length} files${beside}`);
  for (const path of places) console.log(`  ${path}`);
}
