/** Words that say what kind of company it is, which registers and buyers write differently, or not at all. */
const legalForms = new Set(
  'ab ag as asa aps bv bvba co company corp cv doo eg eirl ev eurl gmbh inc kft kg kgaa lda llc lp ltd limited mbh nv ny oe og ohg oy oyj plc pte pty sa sarl sas se sl slu snc spa spol srl sro uab ug und and the et'.split(
    ' ',
  ),
);

/** Letters and digits only, without accents and legal forms: `Müller & Söhne GmbH` becomes `muller sohne`. */
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(?<=\p{L})\.(?=\p{L}|\s|$)/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !legalForms.has(word));

/**
 * Whether a register means the business that the buyer names: all words of the shorter name are in the longer one. A register that
 * tells no name contradicts no one; a buyer who gives none is not known.
 */
export function isSameBusiness(registered: string | undefined, given: string | null): boolean {
  if (registered === undefined) return true;
  const [some, others] = [wordsOf(registered), wordsOf(given ?? '')].sort((a, b) => a.length - b.length);
  return some !== undefined && some.length > 0 && some.every((word) => others?.includes(word));
}
