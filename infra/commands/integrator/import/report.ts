import { plainText, tableText } from '../../kit/table-text.ts';
import type { ImportPlan } from './plan.ts';
import { type ImportKind, importKinds, type Remark, remarkOn, type ShopItem } from './shop.ts';
import type { ImportResult } from './write-shop.ts';

const mostListed = 50;

/** The number of items of each kind. */
const countOf = (items: readonly { kind: ImportKind }[], kind: ImportKind): number =>
  items.filter((item) => item.kind === kind).length;

const lineOf = ({ kind, id, line, text }: Remark): string =>
  `  ${line === undefined ? '' : `line ${line}, `}${kind} ${plainText(id)}: ${plainText(text)}`;

/** A list with its heading. A long one is cut, because `--json` has it all. */
function listed(heading: string, remarks: readonly Remark[]): string[] {
  if (remarks.length === 0) return [];
  const more = remarks.length - mostListed;
  return [
    '',
    heading,
    ...remarks.slice(0, mostListed).map(lineOf),
    ...(more > 0 ? [`  and ${more} more, which --json lists`] : []),
  ];
}

/** What ends here, because it is archived or disabled in the source. */
const endingOf = ({ item }: { item: ShopItem }): Remark =>
  remarkOn(item, item.kind === 'product' ? 'is archived in the source.' : 'is disabled in the source.');

/** What an import will do, or has done. */
export function reportOf(plan: ImportPlan, written?: ImportResult): string {
  const done = written?.created ?? plan.fresh;
  const refused = written?.refused ?? [];
  const known = plan.known.map(({ item }) => item);
  const columns = [done, known, plan.leftOut, ...(written ? [refused] : [])];
  const rows = importKinds.map((kind) => [`${kind}s`, ...columns.map((items) => String(countOf(items, kind)))]);
  const heads = ['', written ? 'created' : 'new', 'there already', 'left out', ...(written ? ['refused'] : [])];
  return [
    tableText(heads, rows, [1, 2, 3, 4]),
    ...listed(
      written ? 'There already, and archived or disabled now:' : 'There already, and to be archived or disabled:',
      plan.ending.map(endingOf),
    ),
    ...listed('Left out:', plan.leftOut),
    ...listed('Imported, but not all of it:', plan.notes),
    ...listed('Refused:', refused),
  ].join('\n');
}

/** The report as JSON, for scripts. It lists every item, while the text lists the first ones. */
export const reportJson = (plan: ImportPlan, written?: ImportResult) => ({
  dry_run: written === undefined,
  counts: Object.fromEntries(
    importKinds.map((kind) => [
      kind,
      {
        [written ? 'created' : 'new']: countOf(written?.created ?? plan.fresh, kind),
        known: countOf(
          plan.known.map(({ item }) => item),
          kind,
        ),
        left_out: countOf(plan.leftOut, kind),
        ...(written && { refused: countOf(written.refused, kind) }),
      },
    ]),
  ),
  known: plan.known.map(({ item: { kind, id }, object }) => ({ kind, id, known_id: object.id })),
  [written ? 'ended' : 'ending']: plan.ending.map(({ item: { kind, id }, object }) => ({
    kind,
    id,
    known_id: object.id,
  })),
  left_out: plan.leftOut,
  notes: plan.notes,
  ...(written && { created: written.created, refused: written.refused }),
});

/** The faults of a file, by line. */
export const faultsText = (faults: readonly { line: number; message: string }[]): string =>
  [
    `${faults.length} ${faults.length === 1 ? 'line is' : 'lines are'} wrong, so nothing was imported. Correct the file and run the command again.`,
    ...faults.slice(0, mostListed).map(({ line, message }) => `  line ${line}: ${plainText(message)}`),
    ...(faults.length > mostListed ? [`  and ${faults.length - mostListed} more, which --json lists`] : []),
  ].join('\n');
