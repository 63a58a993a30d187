/** How many requests run at the same time. */
const atOnce = 8;

/** Handles all rows, several at the same time. After a failure, no other row is started. */
export async function eachRow<Row>(rows: readonly Row[], act: (row: Row) => Promise<void>): Promise<void> {
  const queue = rows.values();
  let failed = false;
  const work = async () => {
    for (const row of queue) {
      if (failed) return;
      await act(row).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, work));
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
}
