/**
 * The version of the table, stored with every quote: the date of its rates and business rules, and the start of their
 * SHA-256, which a test verifies.
 */
export const tableVersion = '2026-11-22.f9901451';
