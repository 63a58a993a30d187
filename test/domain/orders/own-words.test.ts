import { describe, expect, it } from 'vitest';
import {
  filledWords,
  unknownPlaceholder,
  withOwnWords,
  withWordedLanguage,
} from '../../../shared/domain/orders/own-words.ts';

const values = { name: 'Ada', product: 'Guide', shop: 'Books', number: 'INV-1', total: '€1' };

describe('own words', () => {
  it.each([
    ['Hello {name},\nthanks for {product}!', 'Hello Ada,\nthanks for Guide!'],
    ['{total} at {shop} ({number})', '€1 at Books (INV-1)'],
    ['{ name } {constructor} {}', '{ name } {constructor} {}'],
  ])('fill %j with the values of the mail', (text, filled) => expect(filledWords(text, values)).toBe(filled));

  it.each([
    ['Hello {name},', 'Hello,'],
    ['{name}, thank you!', 'thank you!'],
    ['{name}', ''],
    ['A: {product}\n.5 {shop}', 'A: Guide\n.5 Books'],
    ['Hallo „{name}“,\n«\u00A0{name}\u00A0» "{name}" ({product})', 'Hallo,\n(Guide)'],
  ])('leave out a missing name in %j', (text, filled) =>
    expect(filledWords(text, { ...values, name: '' })).toBe(filled),
  );

  it('put no value into the value of another placeholder', () =>
    expect(filledWords('{name}', { ...values, name: '{total}' })).toBe('{total}'));

  it('name the first unknown placeholder, shortened', () => {
    expect(unknownPlaceholder('{name} { {shop}')).toBeUndefined();
    expect(unknownPlaceholder('{name} {Name} {x}')).toBe('{Name}');
    expect(unknownPlaceholder(`{${'x'.repeat(99)}}`)).toHaveLength(40);
  });

  it('without a text are our words again, and without any the language is no longer listed', () => {
    const some = withOwnWords({ version: 0 }, 'refund', { subject: '', greeting: 'Hi', closing: '' });
    expect(some).toEqual({ version: 0, refund: { greeting: 'Hi' } });
    expect(withWordedLanguage(['de', 'en'], 'de', some)).toEqual(['de', 'en']);
    const none = withOwnWords(some, 'refund', { greeting: '' });
    expect(withWordedLanguage(['de', 'en'], 'de', none)).toEqual(['en']);
  });
});
