import type * as z from 'zod';
import { faultMessage } from '../fault-message.ts';
import { LicenseKeyInput } from './license-input.ts';
import { cellsOf, textLines } from './table-lines.ts';

/** The columns of a file of licence keys: the fields of `POST /license_keys`. */
export const keyColumns = ['key', 'customer_id', 'product_id', 'activations_limit', 'expires_at'] as const;
export type KeyColumn = (typeof keyColumns)[number];

/** A licence key in a file, in the form of the API. */
export interface KeyRow {
  /** The number of its line, starting at 1. */
  line: number;
  /** The body of `POST /license_keys`. */
  body: z.input<typeof LicenseKeyInput>;
  key: z.output<typeof LicenseKeyInput>;
}

/** A line that is not a valid licence key, and the column with the fault. */
export interface KeyFault {
  line: number;
  column: KeyColumn;
  message: string;
}

/** A file of licence keys. If its heading does not match, it has no rows. */
export interface KeyFile {
  /** The columns that are missing in its heading. */
  missing: KeyColumn[];
  /** Headings that are not known as columns. */
  unknown: string[];
  rows: KeyRow[];
  faults: KeyFault[];
}

/** Keys that are shorter can be guessed, so the import warns about them. */
export const leastSafeLength = 16;

/** The possible separators. The first one that occurs in the heading of the file is used. */
const separators = ['\t', ';', ','];

interface Heading {
  separator: string;
  columns: string[];
}

function headingOf(line: string): Heading {
  const separator = separators.find((one) => line.includes(one)) ?? ',';
  return { separator, columns: cellsOf(line, separator).map((cell) => cell.toLowerCase()) };
}

const isColumn = (name: string): boolean => keyColumns.some((column) => column === name);

/**
 * Reads a file of licence keys, with a heading and one key on each line. Empty lines and empty cells are skipped.
 * @param usual the product for rows that name none
 */
export function licenseKeyFile(text: string, usual: { productId?: string | undefined } = {}): KeyFile {
  const lines = textLines(text);
  const at = lines.findIndex((line) => line.trim() !== '');
  const { columns, separator } = headingOf(lines[at] ?? '');
  const needed: KeyColumn[] = ['key', 'customer_id', ...(usual.productId ? [] : (['product_id'] as const))];
  const missing = needed.filter((column) => !columns.includes(column));
  const unknown = columns.filter((name) => name !== '' && !isColumn(name));
  if (missing.length + unknown.length > 0) return { missing, unknown, rows: [], faults: [] };
  const file: KeyFile = { missing, unknown, rows: [], faults: [] };
  for (const [index, line] of lines.entries()) {
    const cells = cellsOf(line, separator);
    if (index <= at || cells.every((cell) => cell === '')) continue;
    const named = new Map(columns.map((column, place) => [column, cells[place] ?? '']));
    const row = rowOf(index + 1, named, usual.productId);
    if ('message' in row) file.faults.push(row);
    else file.rows.push(row);
  }
  return file;
}

function rowOf(line: number, cells: ReadonlyMap<string, string>, productId = ''): KeyRow | KeyFault {
  const cell = (column: KeyColumn) => cells.get(column) || undefined;
  const limit = cell('activations_limit');
  const body = {
    key: cell('key') ?? '',
    customer_id: cell('customer_id') ?? '',
    product_id: cell('product_id') ?? productId,
    ...(limit !== undefined && { activations_limit: /^\d+$/.test(limit) ? Number(limit) : Number.NaN }),
    ...(cell('expires_at') !== undefined && { expires_at: momentOfCell(cell('expires_at') ?? '') }),
  };
  const parsed = LicenseKeyInput.safeParse(body, { error: faultMessage });
  if (parsed.success) return { line, body, key: parsed.data };
  const [issue] = parsed.error.issues;
  const column = keyColumns.find((one) => one === issue?.path[0]) ?? 'key';
  return { line, column, message: issue?.message ?? '' };
}

/** The instant in a cell. A cell with only a day means midnight UTC. */
const momentOfCell = (text: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
