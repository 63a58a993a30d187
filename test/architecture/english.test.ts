import { expect, it } from 'vitest';
import { type Tree, treeOf } from './tree.ts';

/** Words that turn a comment into a riddle. A sentence with its subject first does without them. */
const riddles = /\b(whoever|whomever|whatever|anew|nobody|in earnest)\b/i;

/** A line of a comment, or the comment at the end of a line of code. */
const commentIn = (line: string): string => /^\s*(?:\/\*\*|\*|\/\/)(.*)|\s\/\/ (.*)$/.exec(line)?.[0] ?? '';

const riddlesIn = (tree: Tree): string[] =>
  Object.entries(tree).flatMap(([path, source]) =>
    source.split('\n').flatMap((line, index) => {
      const [word] = riddles.exec(commentIn(line)) ?? [];
      return word ? [`${path}:${index + 1}: “${word}”`] : [];
    }),
  );

it('no comment speaks in riddles', () => {
  const { 'test/architecture/english.test.ts': _, ...tree } = treeOf('shared', 'functions', 'infra', 'test');
  expect(riddlesIn(tree)).toEqual([]);
});

it.each([
  ['/** Tells whoever asks. */', 1],
  [' * is signed anew, so that it counts', 1],
  ['wait(); // nobody listens', 1],
  ["const text = 'whatever';", 0],
  ["fetch('https://example.com/anew');", 0],
])('a riddle is found in a comment only: %j', (line, count) =>
  expect(riddlesIn({ 'shared/x.ts': line })).toHaveLength(count),
);
