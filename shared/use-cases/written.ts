/** The row as it is stored after a write, with its version increased. */
export const written = <Row extends { version: number }>(row: Row): Row => ({ ...row, version: row.version + 1 });
