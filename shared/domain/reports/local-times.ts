import type { Column, CsvCell } from './csv.ts';

/**
 * The columns of a file and, for a merchant with a time zone, one more for each instant with its local time:
 * `created_at_local`. They stand at the end, so the places of the others never change.
 */
export function withLocalTimes<Row>(columns: readonly Column<Row>[], timeZone = 'UTC'): readonly Column<Row>[] {
  if (timeZone === 'UTC') return columns;
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  const local = (cell: CsvCell): CsvCell => (typeof cell === 'string' ? format.format(new Date(cell)) : null);
  const instants = columns.filter(({ isInstant }) => isInstant);
  return [
    ...columns,
    ...instants.map(({ name, cell }) => ({ name: `${name}_local`, cell: (row: Row) => local(cell(row)) })),
  ];
}
