/** Legal forms of companies (such as GmbH), which registers and buyers write differently, or leave out. */
const legalForms = new Set(
  'ab ag as asa aps bv bvba co company corp cv doo eg eirl ev eurl gmbh inc kft kg kgaa lda llc lp ltd limited mbh nv ny oe og ohg oy oyj plc pte pty sa sarl sas se sl slu snc spa spol srl sro uab ug und and the et'.split(
    ' ',
  ),
);

/**
 * The words of a name in plain letters and digits, without accents and legal forms: `Müller & Söhne GmbH` becomes
 * `muller sohne`.
 */
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
 * Whether a register and the buyer name the same business: all words of the shorter name are in the longer one. If
 * the register gives no name, the names count as the same; if the buyer gives none, they do not.
 */
export function isSameBusiness(registered: string | undefined, entered: string | null): boolean {
  if (registered === undefined) return true;
  const [some, others] = [wordsOf(registered), wordsOf(entered ?? '')].sort((a, b) => a.length - b.length);
  return some !== undefined && some.length > 0 && some.every((word) => others?.includes(word));
}
