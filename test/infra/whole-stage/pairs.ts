/** The values that each option may have; `undefined` stands for an option that is left out. */
export type Choices = Readonly<Record<string, readonly unknown[]>>;
/** One value for each option, by its place in the list of choices. */
export type OptionRow = Readonly<Record<string, number>>;
/** Two values that belong to two options. */
type Pair = readonly [string, number, string, number];

/** Whether two values may stand beside each other. */
export type Fits = (row: OptionRow) => boolean;

/** Every two values of two options that may stand in one row. */
export function pairsOf(choices: Choices, fits: Fits): Pair[] {
  const names = Object.keys(choices);
  const of = (name: string) => [...(choices[name] ?? []).keys()];
  return names.flatMap((one, at) =>
    names
      .slice(at + 1)
      .flatMap((other) => of(one).flatMap((a) => of(other).map((b): Pair => [one, a, other, b])))
      .filter(([, a, other, b]) => fits({ [one]: a, [other]: b })),
  );
}

export const hasPair = (row: OptionRow, [one, a, other, b]: Pair): boolean => row[one] === a && row[other] === b;

/** How many open pairs one more value closes in a row. Those that it can still close decide between equals. */
function gain(open: readonly Pair[], row: OptionRow, name: string, value: number): number {
  const ofValue = open.filter(([one, a, other, b]) => (one === name ? a === value : other === name && b === value));
  const closed = ofValue.filter(([one, a, other, b]) => (one === name ? row[other] === b : row[one] === a));
  return closed.length + ofValue.length / (open.length + 1);
}

/**
 * Makes few rows that together have every pair of values. Each row starts with a pair that no earlier row has, and
 * takes the values that add the most such pairs.
 */
export function coverPairs(choices: Choices, fits: Fits): OptionRow[] {
  const rows: OptionRow[] = [];
  let open = pairsOf(choices, fits);
  while (open[0]) {
    const row = fillRow(choices, fits, open);
    rows.push(row);
    open = open.filter((pair) => !hasPair(row, pair));
  }
  return rows;
}

function fillRow(choices: Choices, fits: Fits, open: readonly Pair[]): OptionRow {
  const [[one, a, other, b] = ['', 0, '', 0] as const] = open;
  let row: OptionRow = { [one]: a, [other]: b };
  for (const name of Object.keys(choices).filter((option) => !(option in row))) {
    const values = [...(choices[name] ?? []).keys()].filter((value) => fits({ ...row, [name]: value }));
    const best = values.toSorted((x, y) => gain(open, row, name, y) - gain(open, row, name, x))[0];
    if (best === undefined) throw new Error(`No value of ${name} fits ${JSON.stringify(row)}.`);
    row = { ...row, [name]: best };
  }
  return row;
}
