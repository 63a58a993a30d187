import { keyOrCode } from '../text/texts.ts';
import { cellsOf, textLines } from './table-lines.ts';

/** Codes that a person has pasted into a form. */
interface PastedCodes {
  codes: string[];
  /** The numbers of the lines that cannot be codes, starting at 1. */
  refused: number[];
}

const headings = new Set(['code', 'codes', 'key', 'keys']);

/**
 * Reads codes, one on each line. If the text is a table, it reads the first column without its heading. Empty lines are
 * skipped.
 */
export function pastedCodes(text: string): PastedCodes {
  const valid = keyOrCode(1, 255);
  const pasted: PastedCodes = { codes: [], refused: [] };
  for (const [index, line] of textLines(text).entries()) {
    const [code = ''] = cellsOf(line);
    if (code === '' || (index === 0 && headings.has(code.toLowerCase()))) continue;
    const parsed = valid.safeParse(code);
    if (parsed.success) pasted.codes.push(parsed.data);
    else pasted.refused.push(index + 1);
  }
  return pasted;
}
