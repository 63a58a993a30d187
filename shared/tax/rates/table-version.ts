/** The version stored with every quote: the date of the facts and the start of their SHA-256, which a test verifies. */
export const tableVersion = '2026-08-05.fa31ac2c';
