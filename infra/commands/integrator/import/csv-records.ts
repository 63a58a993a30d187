/** A record of a CSV file. */
export interface CsvRecord {
  /** The line on which it begins, starting at 1. */
  line: number;
  cells: string[];
}

/** A line at which the file is no CSV. Nothing behind it can be read. */
export interface CsvFault {
  line: number;
  message: string;
}

/** The possible separators. The first one that occurs in the first line of the file is used. */
const separators = ['\t', ';', ','];

/** A cell, with or without quotes, and what ends it. */
const cellPattern = (separator: string): RegExp =>
  new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n][^${separator}\\r\\n]*)?)(${separator}|\\r\\n|\\r|\\n|$)`,
    'y',
  );

const lineBreaksIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/** Reads CSV as RFC 4180 describes it: a cell in quotes may have separators, line breaks and doubled quotes. */
export function csvRecords(text: string): { records: CsvRecord[]; fault?: CsvFault } {
  const whole = text.replace(/^\uFEFF/, '');
  const [first = ''] = whole.split(/[\r\n]/, 1);
  const separator = separators.find((one) => first.includes(one)) ?? ',';
  const cell = cellPattern(separator);
  const records: CsvRecord[] = [];
  let record: CsvRecord = { line: 1, cells: [] };
  let line = 1;
  while (cell.lastIndex < whole.length || record.cells.length > 0) {
    const found = cell.exec(whole);
    if (!found) return { records, fault: { line, message: 'a quote is not closed, or is followed by more text.' } };
    const [matched, quoted, plain = '', end] = found;
    record.cells.push(quoted?.replaceAll('""', '"') ?? plain);
    line += lineBreaksIn(matched);
    if (end === separator) continue;
    records.push(record);
    record = { line, cells: [] };
  }
  return { records: records.filter(({ cells }) => cells.some((one) => one.trim() !== '')) };
}
