/** DynamoDB's condition language over plain values, as far as the stores speak it. */
export interface Expression {
  names?: Record<string, string> | undefined;
  values?: Record<string, unknown> | undefined;
}

export type Row = Record<string, unknown>;

const tokens = /attribute_(?:not_)?exists|begins_with|<=|>=|<>|[=<>(),]|[#:]?[A-Za-z_][\w.#]*/g;

/** Whether a condition holds for a row; an absent row has no attributes. */
export function holds(
  condition: string | undefined,
  row: Row | undefined,
  { names = {}, values = {} }: Expression,
): boolean {
  if (condition === undefined) return true;
  const words = condition.match(tokens) ?? [];
  let at = 0;
  const next = (): string => words[at++] ?? '';
  const skip = (expected: string): void => {
    const word = next();
    if (word !== expected) throw new Error(`Expected ${expected}, not ${word}, in ${condition}.`);
  };
  const operand = (): unknown => {
    const word = next();
    return word.startsWith(':') ? values[word] : valueAt(row, word, names);
  };
  const argument = (): unknown => {
    skip('(');
    const value = operand();
    return value;
  };

  function predicate(): boolean {
    const word = words[at] ?? '';
    if (word === '(') {
      next();
      const value = either();
      skip(')');
      return value;
    }
    if (word === 'attribute_exists' || word === 'attribute_not_exists') {
      next();
      const exists = argument() !== undefined;
      skip(')');
      return exists === (word === 'attribute_exists');
    }
    if (word === 'begins_with') {
      next();
      const value = argument();
      skip(',');
      const prefix = operand();
      skip(')');
      return typeof value === 'string' && value.startsWith(String(prefix));
    }
    return comparison();
  }

  function comparison(): boolean {
    const left = operand();
    const operator = next();
    const right = operand();
    if (operator !== 'BETWEEN') return compare(left, operator, right);
    skip('AND');
    return compare(left, '>=', right) && compare(left, '<=', operand());
  }

  function both(): boolean {
    let value = predicate();
    while (words[at] === 'AND') {
      next();
      value = predicate() && value;
    }
    return value;
  }

  function either(): boolean {
    let value = both();
    while (words[at] === 'OR') {
      next();
      value = both() || value;
    }
    return value;
  }

  return either();
}

/** Values of another type, or none, are neither equal nor in order. */
function compare(left: unknown, operator: string, right: unknown): boolean {
  if (typeof left !== typeof right || left === undefined) return operator === '<>';
  const [a, b] = [left as string, right as string];
  if (operator === '=') return a === b;
  if (operator === '<>') return a !== b;
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a >= b;
}

const pathOf = (word: string, names: Record<string, string>): string[] =>
  word.split('.').map((part) => (part.startsWith('#') ? (names[part] ?? part) : part));

function valueAt(row: Row | undefined, word: string, names: Record<string, string>): unknown {
  let value: unknown = row;
  for (const part of pathOf(word, names)) value = (value as Row | undefined)?.[part];
  return value;
}

/** A row after `SET a = :b, c.#d = if_not_exists(c.#d, :zero) + :one REMOVE e, f`. */
export function updated(row: Row, update: string, { names = {}, values = {} }: Expression): Row {
  const after = structuredClone(row);
  const [, set = '', remove = ''] = /^(?:SET (.*?))?\s*(?:REMOVE (.*))?$/.exec(update) ?? [];
  for (const part of set.match(/[^\s,=]+ = (?:if_not_exists\([^)]*\)|\S+?)(?: \+ :\w+)?(?=,|$|\s)/g) ?? []) {
    const [target = '', source = ''] = part.split(' = ');
    write(after, pathOf(target, names), evaluate(row, source, { names, values }));
  }
  for (const target of remove
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean))
    delete after[names[target] ?? target];
  return after;
}

function evaluate(row: Row, source: string, { names = {}, values = {} }: Expression): unknown {
  const [term = '', added] = source.split(' + ');
  const [, path, fallback = ''] = /^if_not_exists\((.*), (.*)\)$/.exec(term) ?? [];
  const value = path === undefined ? values[term] : (valueAt(row, path, names) ?? values[fallback]);
  return added === undefined ? value : Number(value) + Number(values[added]);
}

function write(row: Row, path: readonly string[], value: unknown): void {
  const [last = ''] = path.slice(-1);
  let place = row;
  for (const part of path.slice(0, -1)) place = place[part] as Row;
  place[last] = value;
}
