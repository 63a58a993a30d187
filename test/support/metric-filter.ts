/**
 * Reads a metric filter of CloudWatch Logs, as far as ours use it: `=` and `!=` of texts, `&&`, `||` and parentheses.
 * Returns whether it counts a line.
 */
export function countedBy(pattern: string): (line: string) => boolean {
  const tokens = pattern.match(/"[^"]*"|\$[\w.]+|&&|\|\||!=|[=(){}]/g) ?? [];
  return (line) => {
    let at = 0;
    const take = (): string => tokens[at++] ?? '';
    const fieldOf = (path: string): unknown =>
      path
        .split('.')
        .slice(1)
        .reduce((value: unknown, name) => (value as Record<string, unknown> | undefined)?.[name], JSON.parse(line));
    const operand = (): boolean => {
      const token = take();
      if (token === '(' || token === '{') return closed(anyOf());
      const value = fieldOf(token);
      const [operator, text] = [take(), take().slice(1, -1)];
      return value !== undefined && (value === text) === (operator === '=');
    };
    const closed = (value: boolean): boolean => {
      if (![')', '}'].includes(take())) throw new Error(`${pattern} is not closed.`);
      return value;
    };
    const chain = (operator: string, next: () => boolean): boolean[] => {
      const values = [next()];
      while (tokens[at] === operator) {
        at += 1;
        values.push(next());
      }
      return values;
    };
    const allOf = (): boolean => chain('&&', operand).every(Boolean);
    const anyOf = (): boolean => chain('||', allOf).some(Boolean);
    return operand();
  };
}
