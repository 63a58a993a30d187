import fc from 'fast-check';

/** Every code point, halves of pairs among them. Like fast-check's own unit `binary`, but that one takes a second to list them all first. */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
