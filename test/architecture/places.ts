import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWithin, type Tree } from './tree.ts';

/**
 * Counts the source files that a change touches, by the words that stand in each of them:
 * `node test/architecture/places.ts "minimum_?net"`. Without a word, it counts the examples below.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const written = ['.ts', '.js', '.css', '.json'];

interface Example {
  change: string;
  /** A word that every file contains which the change touches. */
  word: string;
  /** The most files that the change may touch. */
  most: number;
  /** Files with the word that such a change does not touch, each with the reason. */
  untouched?: readonly { of: string; because: string }[];
}

/** The most common changes, each by an example that is already there. */
export const examples: readonly Example[] = [
  { change: 'a field on a product, with all languages', word: 'minimum_?net', most: 8 },
  {
    change: 'a page of the dashboard, with forms and all languages',
    word: String.raw`dashboard/(show-)?mails|mails-page|dashboardTexts\('mails'\)|\bmails: \{ send_example`,
    most: 8,
  },
  {
    change: 'a type of event on an old subject',
    word: String.raw`refund\.failed`,
    most: 5,
    untouched: [
      { of: 'shared/outside/processor/stripe', because: 'Stripe has an event of the same name' },
      { of: 'infra/local/stripe', because: 'Stripe has an event of the same name' },
      { of: 'shared/texts/buyers', because: 'the words for the state of a refund have the same key' },
      { of: 'shared/store/events/event-payload.ts', because: 'the dictionary of packed payloads never changes' },
    ],
  },
  { change: 'a processor, beside its folder', word: String.raw`'\./stripe/|on\('POST /processor/stripe`, most: 2 },
];

/** The source files. Tests, documents and built files are left out. */
export const sourceTree = (): Tree =>
  Object.fromEntries(
    ['shared', 'functions', 'infra']
      .flatMap((folder) => readdirSync(`${root}/${folder}`, { recursive: true }).map((path) => `${folder}/${path}`))
      .filter((path) => written.includes(extname(path)) && !/\/built\.(ts|json)$/.test(path))
      .map((path) => [path, readFileSync(`${root}/${path}`, 'utf8')]),
  );

/** The files that a change touches. */
export function filesTouched({ word, untouched = [] }: Pick<Example, 'word' | 'untouched'>, tree: Tree): string[] {
  const pattern = new RegExp(word, 'i');
  const isTouched = (path: string): boolean => !untouched.some(({ of }) => isWithin(path, of));
  return Object.keys(tree)
    .filter((path) => isTouched(path) && pattern.test(tree[path] ?? ''))
    .sort();
}

if (import.meta.main) {
  const [, , word] = process.argv;
  const tree = sourceTree();
  for (const example of word === undefined ? examples : [{ change: word, word }]) {
    const places = filesTouched(example, tree);
    console.log(`${example.change}: ${places.length} files${'most' in example ? ` (at most ${example.most})` : ''}`);
    for (const path of places) console.log(`  ${path}`);
  }
}
