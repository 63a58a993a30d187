import { describe, expect, it } from 'vitest';
import { prose, text } from '../../shared/wire/text/texts.ts';

describe('A name', () => {
  it.each([
    '\n',
    '\u0085',
    '\u0080',
    '\u009F',
    '\u2028',
    '\u2029',
    '\u202E',
    '\uFFFE',
    '\uFFFF',
    '\uFDD0',
    '\u{1FFFE}',
  ])('cannot contain %j, and a text of several lines can contain only a new line of these', (character) => {
    expect(text(1, 100).safeParse(`A${character}B`).success).toBe(false);
    expect(prose(1, 100).safeParse(`A${character}B`).success).toBe(character === '\n');
  });

  it.each(['Zoë 👩‍💻', 'محمد', '\u00A0x', 'a\u200Cb'])('can be %j', (name) => {
    expect(text(1, 100).safeParse(name).success).toBe(true);
  });
});
