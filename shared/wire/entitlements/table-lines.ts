/** The lines of a text file, without its byte order mark. */
export const textLines = (text: string): string[] => text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);

/**
 * The cells of a line of a CSV file, with or without quotes. A line is always one row. If a quote is not closed, it
 * ends with its line, so a mistake damages only one row.
 * @param separators the characters between cells
 */
export function cellsOf(line: string, separators = ',;\t'): string[] {
  const other = `[^${separators}]*`;
  const cell = new RegExp(`\\s*(?:"((?:[^"]|"")*)"${other}|(".*|${other}))([${separators}]|$)`, 'y');
  const cells: string[] = [];
  for (let isLast = false; !isLast; ) {
    const [, quoted, plain = '', separator = ''] = cell.exec(line) ?? [];
    cells.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    isLast = separator === '';
  }
  return cells;
}
