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

it('every source of pages is looked at', () => {
  expect(files.length).toBeGreaterThan(700);
  for (const kind of ['.ts', '.css', '.json']) expect(files.some((file) => file.endsWith(kind))).toBe(true);
});

it('no page shows a struck-through price, which needs the lowest price of 30 days, or the closed platform', () => {
  const found = files.flatMap((file) => faultsIn(readFileSync(file, 'utf8')).map((fault) => `${file}: ${fault}`));
  expect(found).toEqual([]);
});

describe('the check of pages finds', () => {
  it.each([
    { text: 'html`<s>$' + '{before}</s>`', fault: 'a struck-through price' },
    { text: '<del class="old">', fault: 'a struck-through price' },
    { text: '.old{text-decoration:line-through}', fault: 'a struck-through price' },
    { text: '"odr": "https://ec.europa.eu/consumers/odr"', fault: 'a link to the closed platform for disputes' },
  ])('$text', ({ text, fault }) => expect(faultsIn(text)).toEqual([fault]));

  it.each(['<section>', '<select>', '<span>', '<details>'])('nothing in %s', (text) =>
    expect(faultsIn(text)).toEqual([]),
  );
});
