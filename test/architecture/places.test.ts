import { describe, expect, it } from 'vitest';
import { examples, filesWith } from './places.ts';

/** These changes touch few files already. The others only have a target. */
const met = ['a field on a product, with all languages'];

describe('a change touches at most as many files as its target', () => {
  it.each(examples.filter(({ change }) => met.includes(change)))('$change', ({ word, target }) => {
    const places = filesWith(word);
    expect(places, 'the example is somewhere').not.toEqual([]);
    expect(places.length, places.join('\n')).toBeLessThanOrEqual(target);
  });
});
