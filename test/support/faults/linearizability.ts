/**
 * A client's request, its answer and their times. An unknown answer is undefined: the request may take effect at
 * any later time, or never.
 */
export interface Operation<Input, Output> {
  input: Input;
  output: Output | undefined;
  calledAt: number;
  returnedAt: number;
}

/** A model of the results if all operations ran one after the other. */
export interface Specification<State, Input, Output> {
  initial: State;
  apply: (state: State, input: Input) => { state: State; output: Output };
  isSame: (told: Output, expected: Output) => boolean;
}

/**
 * Says whether one order of the operations explains all answers: each operation takes effect at one instant between
 * call and return. Uses Wing and Gong's search with Lowe's memory: no set of operations is tried twice in the same
 * state.
 */
export function isLinearizable<State, Input, Output>(
  history: readonly Operation<Input, Output>[],
  { initial, apply, isSame }: Specification<State, Input, Output>,
): boolean {
  const seen = new Set<string>();
  const done = history.map(() => false);

  function search(state: State): boolean {
    const open = [...history.entries()].filter(([index]) => !done[index]);
    if (open.every(([, { output }]) => output === undefined)) return true;
    const key = `${done.map(Number).join('')} ${JSON.stringify(state)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    const firstReturn = Math.min(...open.map(([, { returnedAt }]) => returnedAt));
    return open.some(([index, { input, output, calledAt }]) => {
      if (calledAt > firstReturn) return false;
      const next = apply(state, input);
      if (output !== undefined && !isSame(output, next.output)) return false;
      done[index] = true;
      if (search(next.state)) return true;
      done[index] = false;
      return false;
    });
  }

  return search(initial);
}
