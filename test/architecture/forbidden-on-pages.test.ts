import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** What no page, mail or document of ours may contain, and why. */
const forbidden = [
  { name: 'a struck-through price', says: /<(?:s|del|strike)[\s>]|line-through/i },
  { name: 'a link to the closed platform for disputes', says: /ec\.europa\.eu\/(?:consumers\/)?odr/i },
];

const files = globSync(['shared/**/*.{ts,js,css,json}', 'functions/**/*.ts', 'infra/{local,reference}/**/*.ts']);

/** A message that is no longer true is struck through. It is no price. */
const withoutSettled = (text: string): string => text.replace(/li\[data-settled\]\{[^}]*\}/g, '');

const faultsIn = (text: string): string[] =>
  forbidden.flatMap(({ name, says }) => (says.test(withoutSettled(text)) ? [name] : []));

it('this test reads every source file of the pages', () => {
  expect(files.length).toBeGreaterThan(700);
  for (const kind of ['.ts', '.css', '.json']) expect(files.some((file) => file.endsWith(kind))).toBe(true);
});

it('no page shows a struck-through price or a link to the EU’s closed dispute platform', () => {
  const found = files.flatMap((file) => faultsIn(readFileSync(file, 'utf8')).map((fault) => `${file}: ${fault}`));
  expect(found).toEqual([]);
});

describe('the check of the pages', () => {
  it.each([
    { text: 'html`<s>$' + '{before}</s>`', fault: 'a struck-through price' },
    { text: '<del class="old">', fault: 'a struck-through price' },
    { text: '.old{text-decoration:line-through}', fault: 'a struck-through price' },
    { text: '"odr": "https://ec.europa.eu/consumers/odr"', fault: 'a link to the closed platform for disputes' },
  ])('reports $text', ({ text, fault }) => expect(faultsIn(text)).toEqual([fault]));

  it.each(['<section>', '<select>', '<span>', '<details>'])('does not report the element %s', (text) =>
    expect(faultsIn(text)).toEqual([]),
  );
});
