/** Prints rows in columns as wide as their contents. Columns of numbers are aligned to the right. */
export function tableText(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  figures: readonly number[] = [],
) {
  const all = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)));
  const cell = (text: string, at: number) =>
    figures.includes(at) ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0);
  return all.map((row) => row.map(cell).join('  ').trimEnd()).join('\n');
}

/** Prints names and values, one pair on each line. */
export const factsText = (facts: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes these characters
const controls = /[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/** Removes control characters from text that users entered, because a terminal would execute them. */
export const plainText = (text: string): string => text.replace(controls, '\uFFFD');
