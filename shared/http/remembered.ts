/** Creates a value on first use. Later calls return the same value, or throw the same error. */
export function remembered<Value>(make: () => Value): () => Value {
  let outcome: (() => Value) | undefined;
  return () => {
    outcome ??= outcomeOf(make);
    return outcome();
  };
}

function outcomeOf<Value>(make: () => Value): () => Value {
  try {
    const value = make();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
