/**
 * Short texts that, when repeated, have made code slow: in normalization, in backtracking, in the parsing of addresses.
 */
export const hostileUnits: Readonly<Record<string, string>> = {
  letters: 'a',
  'white space': ' \t',
  'line breaks': '\r\n',
  'combining marks': '\u0301\u0323',
  'a base and its marks': 'e\u0301',
  'Hangul letters': '\u1112\u1161\u11ab',
  'ligatures that grow': '\ufdfa',
  digits: '4',
  'digits and spaces': '4 ',
  'digits, dots and dashes': '4.2-4\u00a02\u20134/',
  'Arabic digits': '\u0664\u0662',
  'almost card numbers': '424242424242x',
  'zero-width spaces': '4\u200b',
  'pluses and brackets': '+1 (0) ',
  'nested percent signs': '%25',
  'percent-encoded digits': '%34%2532',
  'broken escapes': '%',
  'at signs and dots': 'a@b.',
  dots: '.',
  slashes: '/',
  commas: 'en;q=0.1,',
  ampersands: 'a=b&',
  quotes: '"\\',
  emojis: '\u{1f469}\u200d',
};

/** Repeats one of these texts up to this many UTF-16 units. */
export const repeated = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length));
