const letter = '[\\p{L}\\p{N}]';

/** Finds the last place of a line that has a city or a postal code as whole words. `Berliner` does not have `Berlin`. */
const lastWords = (part: string): RegExp =>
  new RegExp(`^(.*)(?<!${letter})${part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!${letter})`, 'u');

/** Whether a line of an address has a city or a postal code. */
export const hasWords = (line: string, part: string): boolean => lastWords(part).test(line);

/**
 * The lines of an address without the parts that are named apart. Each part is taken from its last place, because the
 * street stands before the city and may have the city's name. A line of which nothing is left is left out.
 */
export function withoutParts(address: readonly string[], parts: readonly string[]): string[] {
  const taken = parts.reduce<readonly string[]>((lines, part) => {
    const at = lines.findLastIndex((line) => hasWords(line, part));
    return at < 0 ? lines : lines.with(at, (lines[at] ?? '').replace(lastWords(part), '$1'));
  }, address);
  return taken.flatMap((line, index) => (line === address[index] ? line : tidied(line)) || []);
}

/** A shortened line without empty places between commas, and without the country before a postal code, such as `D-`. */
const tidied = (line: string): string =>
  line
    .split(/[,;]/)
    .map((place) => place.replace(/\s+/g, ' ').replace(/^[\s/|·–-]+|(?:(?<!\S)\p{Lu}{1,3}-|[\s/|·–-])+$/gu, ''))
    .filter((place) => place !== '')
    .join(', ');
