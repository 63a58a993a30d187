import { plainAmount } from '../money/plain-amount.ts';

/** An amount in minor units, written as a decimal number. */
interface MoneyCell {
  amount: number;
  currency: string;
}

/** A cell. Numbers and amounts come from our code; text can come from anyone. */
export type CsvCell = string | number | null | MoneyCell;

/** A mark at the start of the file. With it, Excel reads umlauts correctly. */
const byteOrderMark = '\ufeff';

/** A column of a file. */
export interface Column<Row> {
  name: string;
  cell: (row: Row) => CsvCell;
  /** Whether it has points in time, which also have a local form. */
  isInstant?: boolean;
}

/** A file according to RFC 4180. A spreadsheet never runs a cell of it as a formula. */
export const csvFile = (header: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  byteOrderMark + csvLines([header, ...rows]);

/** A file with a header and a line for each row. */
export const csvOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string =>
  csvFile(
    columns.map(({ name }) => name),
    csvCells(columns, rows),
  );

/** The cells of each row. */
export const csvCells = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): CsvCell[][] =>
  rows.map((row) => columns.map(({ cell }) => cell(row)));

/** The lines of a CSV file, without a header. */
export const csvLines = (rows: readonly (readonly CsvCell[])[]): string =>
  rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('');

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  return typeof cell === 'string' ? quoted(harmless(cell)) : plainAmount(cell.amount, cell.currency);
}

/** Puts an apostrophe before text that a spreadsheet would read as a formula. */
const harmless = (text: string): string => (/^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text);

const quoted = (text: string): string => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
