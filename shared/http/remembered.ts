/** Creates a value on first use, and returns the same value or throws the same error each time. */
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
