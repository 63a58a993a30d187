/** Texts of notes that many facts of the rate table share. */
export const courses = 'assumption: standard rate for automated courses sold B2C; no country-specific source';
export const customerLocation =
  'electronically supplied service, standard rate at customer location (Art. 58 VAT Directive)';
export const euCourses =
  'automated / pre-recorded course = electronically supplied service, standard rate. Live tutoring is NOT an ESS (education service; possible exemption for eligible bodies).';
export const localOnTop = 'local taxes come on top';
export const noLocal = 'no local taxes';
export const noStateTax = 'no state sales tax';
export const downloads =
  'generic downloads (e-book/audio/video/artwork); downloaded SOFTWARE is often taxed even where other digital goods are not';
export const printedOnly = 'point-of-sale rebate covers printed books, not e-books';
export const codesSayTaxable = 'the 2025 code table says taxable';
export const bothSayTaxable = 'the 2025 code table and openaccountants say taxable';
export const qstNotCompound =
  'both on the price net of tax (QST not compound since 2013). The combined 14.975% must not be printed on the invoice.';
export const permanentRight = 'only with a permanent right to use';
export const businessUse = 'business-use exemption reported (unverified)';
export const enclaves =
  'only the standard rate is 19%; unconfirmed: the 19% is for suppliers established there, and a foreign seller may owe 20%';
export const overseasBooks = 'books are 2.1% in the overseas departments, and downloads share the rate of the book';
export const scheduledDc =
  'enacted schedule as of 2025-12; the budget act for 2027 was not seen: confirm at the Office of Tax and Revenue';
