import fc from 'fast-check';

/**
 * Any code point, including single halves of surrogate pairs. fast-check's own unit `binary` gives the same, but needs
 * a second to start.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
