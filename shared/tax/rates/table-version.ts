/** The version stored with every quote: the date of the facts and the start of their SHA-256, which a test verifies. */
export const tableVersion = '2026-11-22.d9d3d1d8';
