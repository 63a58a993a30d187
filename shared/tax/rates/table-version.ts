/**
 * The version of the table, which every quote stores. It consists of the date of its rates and business rules, and the
 * start of their SHA-256. A test verifies it.
 */
export const tableVersion = '2026-11-23.7a3eadc8';
