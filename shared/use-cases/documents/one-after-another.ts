/** Runs tasks one after another. A failed task does not stop the next one. */
export function oneAfterAnother() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(act: () => Promise<Result>): Promise<Result> => {
    const next = last.then(act, act);
    last = next.catch(() => {});
    return next;
  };
}
