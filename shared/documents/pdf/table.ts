import type { Block, Look, Sheet } from './sheet.ts';

interface TableColumn {
  label: string;
  isNumeric: boolean;
}

/** The paragraphs of a cell. */
type TableCell = readonly { text: string; isLabel?: boolean }[];

interface PdfTable {
  title: string;
  columns: readonly TableColumn[];
  rows: readonly (readonly TableCell[])[];
}

const head: Look = { size: 8, weight: 700, color: 'quiet' };
const body: Look = { size: 9, weight: 400, color: 'ink' };
const label: Look = { size: 8, weight: 400, color: 'quiet' };

const gap = 12;
const padding = 5;
/**
 * The largest width of a column with numbers before numbers are broken. The next constant is the smallest share for the
 * first column.
 */
const widestFigure = 110;
const leastForText = 0.24;

interface SetCell {
  blocks: readonly Block[];
  height: number;
}

/**
 * Draws a table at the current position. If a row does not fit, the table continues on the next page, and repeats its
 * head.
 */
export function drawTable(sheet: Sheet, table: PdfTable, { x, width }: { x: number; width: number }): void {
  const widths = columnWidths(sheet, table, width);
  const heads = table.columns.map(({ label: text }, index) =>
    setCell(sheet, [{ text }], head, widths[index] as number),
  );
  const rows = table.rows.map((row) => row.map((cell, index) => setCell(sheet, cell, body, widths[index] as number)));
  const draw = (type: string, cells: readonly SetCell[]) => drawRow(sheet, type, cells, { table, widths, x, width });
  sheet.within(
    'Table',
    () => {
      draw('TH', heads);
      for (const cells of rows) {
        if (!sheet.hasRoomFor(rowHeight(cells))) {
          sheet.turnPage();
          draw('TH', heads);
        }
        draw('TD', cells);
      }
    },
    table.title,
  );
}

/** The height of a table on one page. */
export function heightOfTable(sheet: Sheet, table: PdfTable, width: number): number {
  const widths = columnWidths(sheet, table, width);
  const heads = table.columns.map(({ label: text }, index) =>
    setCell(sheet, [{ text }], head, widths[index] as number),
  );
  const rows = table.rows.map((row) => row.map((cell, index) => setCell(sheet, cell, body, widths[index] as number)));
  return [heads, ...rows].reduce((sum, cells) => sum + rowHeight(cells), 0);
}

function drawRow(
  sheet: Sheet,
  type: string,
  cells: readonly SetCell[],
  { table, widths, x, width }: { table: PdfTable; widths: readonly number[]; x: number; width: number },
): void {
  sheet.within('TR', () => {
    let left = x;
    for (const [index, { blocks }] of cells.entries()) {
      const cellWidth = widths[index] as number;
      const align = table.columns[index]?.isNumeric ? 'end' : 'start';
      sheet.draw(type, blocks, { x: left, y: sheet.y + padding, width: cellWidth, align });
      left += cellWidth + gap;
    }
  });
  sheet.y += rowHeight(cells);
  sheet.rule(x, width);
}

const rowHeight = (cells: readonly SetCell[]): number => Math.max(...cells.map(({ height }) => height)) + 2 * padding;

function setCell(sheet: Sheet, cell: TableCell, look: Look, width: number): SetCell {
  const blocks = cell.map(({ text, isLabel }) => sheet.set(text, isLabel ? label : look, width));
  return { blocks, height: blocks.reduce((sum, block) => sum + block.height, 0) };
}

/**
 * The widths of the columns. Columns with numbers get the width they need, within limits, and the first column gets the
 * rest. If the numbers need too much, labels are first broken between words, and numbers last.
 */
function columnWidths(sheet: Sheet, table: PdfTable, width: number): number[] {
  const room = width * (1 - leastForText) - (table.columns.length - 1) * gap;
  const whole = figureWidths(sheet, table, (text) => [text]);
  const wanted = total(whole) > room ? figureWidths(sheet, table, (text) => text.split(' ')) : whole;
  const needed = total(wanted);
  const figures = needed > room ? wanted.map((one) => (one * room) / needed) : wanted;
  return [width - total(figures) - figures.length * gap, ...figures];
}

const total = (widths: readonly number[]): number => widths.reduce((sum, one) => sum + one, 0);

/**
 * The width that each column with numbers needs. `partsOf` breaks a label into the parts that stand on separate lines.
 */
const figureWidths = (sheet: Sheet, { columns, rows }: PdfTable, partsOf: (label: string) => string[]): number[] =>
  columns.slice(1).map(({ label: text }, index) => {
    const cells = rows.map((row) => widestPart(sheet, row[index + 1] ?? [], partsOf));
    return Math.min(widestFigure, Math.max(sheet.set(text, head).width, ...cells));
  });

const widestPart = (sheet: Sheet, cell: TableCell, partsOf: (label: string) => string[]): number =>
  Math.max(
    0,
    ...cell.flatMap(({ text, isLabel }) =>
      isLabel ? partsOf(text).map((part) => sheet.set(part, label).width) : [sheet.set(text, body).width],
    ),
  );
