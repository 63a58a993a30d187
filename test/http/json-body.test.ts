import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainError } from '../../shared/domain/errors.ts';
import { maxBodyBytes, parseJsonBody } from '../../shared/http/request/json-body.ts';
import { cpuMillisecondsOf } from '../support/cpu.ts';
import { campaign } from '../support/seeded.ts';

const bytes = (text: string | number[]): Buffer => Buffer.from(text as string);
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

const codeOf = (body: Buffer): string => {
  try {
    parseJsonBody(body);
    return 'parsed';
  } catch (error) {
    return error instanceof DomainError ? error.code : `${error}`;
  }
};

describe('a JSON body', () => {
  it.each([
    ['an object', '{"a":1}', { a: 1 }],
    ['an array', '[1,2]', [1, 2]],
    ['a bare value', 'true', true],
    ['white space around it', ' \r\n\t{"a":1}\n', { a: 1 }],
    ['a byte order mark', [0xef, 0xbb, 0xbf, 0x7b, 0x7d], {}],
    ['characters of two to four bytes', '{"ä":"日本 🐦"}', { ä: '日本 🐦' }],
    ['an escaped character', '{"a":"\\u00e4"}', { a: 'ä' }],
    ['a pair of surrogates', '{"a":"\\ud83d\\udc26"}', { a: '🐦' }],
    ['brackets within a text', `{"a":"${'['.repeat(100)}"}`, { a: '['.repeat(100) }],
    ['quotes within a text', '{"a":"\\"}{\\""}', { a: '"}{"' }],
    ['a colon within a text', '{"a:b":"a:b","a":1}', { 'a:b': 'a:b', a: 1 }],
    [
      'one key in two objects',
      '{"a":{"x":1},"b":{"x":2},"c":[{"x":3},{"x":4}]}',
      { a: { x: 1 }, b: { x: 2 }, c: [{ x: 3 }, { x: 4 }] },
    ],
    ['a key that is also a value', '{"a":"b","b":"a"}', { a: 'b', b: 'a' }],
    ['a text that names the prototype', '{"a":"__proto__"}', { a: '__proto__' }],
    ['twenty levels', nested(20), JSON.parse(nested(20))],
  ])('is accepted with %s', (_, body, value) => {
    expect(parseJsonBody(bytes(body))).toEqual(value);
  });

  it.each([
    ['nothing', ''],
    ['nothing but white space', ' \n\t '],
    ['an open object', '{"a":1'],
    ['an open text', '{"a":"b'],
    ['a lone bracket', ']'],
    ['two values', '{} {}'],
    ['a comma too many', '{"a":1,}'],
    ['single quotes', "{'a':1}"],
    ['a key without quotes', '{a:1}'],
    ['a comment', '{"a":1} // b'],
    ['NaN', '{"a":NaN}'],
    ['Infinity', '{"a":-Infinity}'],
    ['undefined', 'undefined'],
    ['a number with a leading zero', '{"a":01}'],
    ['a hexadecimal number', '{"a":0x10}'],
    ['a raw newline in a text', '{"a":"b\nc"}'],
    ['a NUL in a text', '{"a":"b\0c"}'],
    ['a form', 'a=1&b=2'],
    ['XML', '<a>1</a>'],
    ['bytes that are not UTF-8', [0x7b, 0x22, 0xff, 0x22, 0x7d]],
    ['an overlong encoding', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate encoded as UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a cut-off character', [0x22, 0xe6, 0x97]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
    ['twenty-one levels', nested(21)],
    ['a nesting that never ends', '['.repeat(200_000)],
    ['a nesting of objects', '{"a":'.repeat(30_000)],
    ['a key that occurs twice', '{"a":1,"b":2,"a":3}'],
    ['a key that occurs twice, once escaped', '{"a":1,"\\u0061":2}'],
    ['a key that occurs twice, deep down', '{"a":[{"b":{"c":1,"c":1}}]}'],
  ])('is refused with %s', (_, body) => {
    expect(codeOf(bytes(body))).toBe('UNPARSABLE_BODY');
  });

  it.each(['{"__proto__":{"a":1}}', '{"\\u005f\\u005fproto__":1}', '{"a":{"constructor":1}}', '[{"prototype":null}]'])(
    'is refused, although valid JSON, with a key that JavaScript objects already have: %s',
    (body) => {
      expect(codeOf(bytes(body))).toBe('INVALID_REQUEST_BODY');
    },
  );

  it('is refused above 256 KiB, counted in bytes and not in characters', () => {
    const ofBytes = (size: number, letter = 'x') => bytes(`"${letter.repeat((size - 2) / Buffer.byteLength(letter))}"`);
    expect(codeOf(ofBytes(255 * 1_024))).toBe('parsed');
    expect(codeOf(ofBytes(maxBodyBytes))).toBe('parsed');
    expect(codeOf(ofBytes(maxBodyBytes + 1))).toBe('PAYLOAD_TOO_LARGE');
    expect(codeOf(ofBytes(257 * 1_024))).toBe('PAYLOAD_TOO_LARGE');
    expect(codeOf(ofBytes(256 * 1_024 + 2, 'ä'))).toBe('PAYLOAD_TOO_LARGE');
  });

  it('is refused for its size before any other check', () => {
    expect(codeOf(bytes('['.repeat(6_000_000)))).toBe('PAYLOAD_TOO_LARGE');
  });

  const hostile = (unit: string, before = '', after = '') => {
    const count = Math.floor((maxBodyBytes - before.length - after.length) / Buffer.byteLength(unit));
    return bytes(before + unit.repeat(count) + after);
  };

  it.each([
    ['open texts', hostile('"')],
    ['escaped quotes in an open text', hostile('\\"', '"')],
    ['backslashes in an open text', hostile('\\', '"')],
    ['one long text', hostile('a', '"', '"')],
    ['one long text of escapes', hostile('\\n', '"', '"')],
    ['many keys', bytes(`{${Array.from({ length: 20_000 }, (_, i) => `"${i}":1`).join()}}`)],
    ['brackets', hostile('[')],
    ['closing brackets', hostile(']')],
    ['white space', hostile(' ')],
    ['digits', hostile('9')],
  ])('is checked quickly when it is made of %s', (_, body) => {
    expect(cpuMillisecondsOf(() => codeOf(body))).toBeLessThan(200); // quadratic work on 256 KiB takes some twenty seconds
  });

  /** Numbers below `limit`, the same ones in every run (a linear congruence). */
  function sequence(seed: number) {
    let state = seed;
    return (limit: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
  }

  const pairs = campaign(50_000, 8_000);

  it(`is either parsed or refused, and never raises another error, for ${2 * pairs} random bodies`, () => {
    const next = sequence(7);
    const fragments = [...'{}[]":,\\1e-. ä\0', 'null', '"a"', '{"a":', '"}', '\\u00'];
    const anything = () => Buffer.from(Array.from({ length: next(40) }, () => next(256)));
    const nearlyJson = () =>
      Buffer.from(Array.from({ length: next(20) }, () => fragments[next(fragments.length)]).join(''));
    const outcomes = new Map<string, number>();
    for (let run = 0; run < pairs; run += 1)
      for (const body of [anything(), nearlyJson()]) {
        const code = codeOf(body);
        outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
      }
    expect([...outcomes.keys()].sort()).toEqual(['UNPARSABLE_BODY', 'parsed']);
    expect(outcomes.get('parsed')).toBeGreaterThan(pairs / 100);
  });

  it('gives the same value as JSON.parse when it is accepted', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        if (/__proto__|constructor|prototype/.test(text)) return;
        expect(parseJsonBody(bytes(text))).toEqual(JSON.parse(text));
      }),
      { numRuns: 2_000 },
    );
  });
});
